import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Division, DivisionMove, DivisionMoveInput } from '@kontor/contract';
import { parseKey } from '../../src/auth/api-keys.ts';
import { orderBehind } from '../../src/features/divisions/rules.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { stateOf, testDivision, testKey } from '../support/data/test-data.ts';
import { createTenant } from '../../src/features/organizations/store.ts';
import { signedInUser } from '../support/data/users.ts';
import { outcome, usePortal } from './support.ts';

let key: string;
/** A company of its own, so that no other test changes its tree. */
let tenantId: string;
let organizationId: string;
const fixture = usePortal(async ({ sql, testData }) => {
  organizationId = testData.organization;
  tenantId = await createTenant(sql, organizationId, 'Baum GmbH');
  ({ secret: key } = await signedInUser(sql, organizationId, { permissions: ['COMPANY_ADMIN'] }));
});

let roots = 0;

/** A new root with these children, in this order. */
async function rootWith(...names: string[]): Promise<[root: string, ...children: string[]]> {
  const place = { organizationId, tenantId };
  const root = await testDivision(fixture.sql, place, `Root ${++roots}`);
  const children: string[] = [];
  for (const name of names)
    children.push(await testDivision(fixture.sql, { ...place, parentId: root }, name));
  return [root, ...children];
}

async function read(id: string): Promise<Division> {
  const query = { filter: `id = ${id}` };
  return (await fixture.portal.get('/divisions', { key, query })).body.items[0];
}

async function move(id: string, to: Partial<DivisionMoveInput>, query: Record<string, boolean> = {}) {
  const { parentId, updatedAt } = await read(id);
  const body = { expectedUpdatedAt: updatedAt, parentId, ...to };
  return fixture.portal.post<DivisionMove>(`/divisions/${id}/move`, body, { key, query });
}

async function childrenOf(parentId: string): Promise<string[]> {
  const query = { filter: `parentId = ${parentId}`, sort: 'order', pageSize: 1000 };
  const { items } = (await fixture.portal.get('/divisions', { key, query })).body;
  return items.map(({ name }: Division) => name);
}

describe('createPortalDivision', () => {
  test('creates a division in the selected tenant, audited under the name of the user', async () => {
    const made = await fixture.portal.post('/divisions', { name: 'Einkauf' }, { key, tenant: tenantId });
    const { id, tenant } = made.body as Division;
    assert.deepEqual([made.status, tenant], [201, tenantId]);
    assert.equal(made.headers.location, `/portal/api/divisions/${id}`);
    const [entry] = await fixture.sql`SELECT actor_type, actor_name FROM audit WHERE target_id = ${id}`;
    assert.deepEqual({ ...entry }, { actor_type: 'user', actor_name: 'Petra Lang' });
  });

  test('422 TENANT_CONTEXT_AMBIGUOUS, 409 DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL', async () => {
    const create = (tenant?: string) =>
      fixture.portal.post('/divisions', { name: 'EINKAUF' }, { key, ...(tenant && { tenant }) });
    assert.equal(outcome(await create()), '422 TENANT_CONTEXT_AMBIGUOUS');
    assert.equal(outcome(await create(tenantId)), '409 DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL');
  });

  test('400 INVALID_REFERENCE_ID: a parent that is no identifier; 422 VALIDATION_ERROR: one at the lowest level', async () => {
    let parentId: string | null = null;
    for (let level = 1; level <= 20; level++)
      parentId = await testDivision(fixture.sql, { organizationId, tenantId, parentId }, `Level ${level}`);
    const below = (parentId: string | null) =>
      fixture.portal.post('/divisions', { name: 'Einkauf', parentId }, { key });
    assert.equal(outcome(await below('one')), '400 INVALID_REFERENCE_ID');
    assert.equal(outcome(await below(parentId)), '422 VALIDATION_ERROR');
  });
});

describe('updatePortalDivision', () => {
  test('409 INVALID_STATE_TRANSITION: of two administrators at once the second one overwrites nothing', async () => {
    const [id] = await rootWith();
    const { updatedAt: expectedUpdatedAt } = await read(id);
    const rename = (costCenter: string) =>
      fixture.portal.patch(`/divisions/${id}`, { expectedUpdatedAt, costCenter }, { key });
    const answers = await Promise.all([rename('4711'), rename('4712')]);
    const [made, late] = answers.toSorted((one, two) => one.status - two.status);
    assert.deepEqual([outcome(made!), outcome(late!)], ['200', '409 INVALID_STATE_TRANSITION']);
    assert.equal((await read(id)).costCenter, made!.body.costCenter);
  });

  test('409 DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL, and 400 for a parent, which a move changes', async () => {
    const [, a] = await rootWith('A', 'B');
    const { updatedAt: expectedUpdatedAt } = await read(a!);
    const update = async (body: object) =>
      outcome(await fixture.portal.patch(`/divisions/${a}`, { expectedUpdatedAt, ...body }, { key }));
    assert.equal(await update({ name: 'b' }), '409 DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL');
    assert.equal(await update({ parentId: null }), '400 UNSUPPORTED_FIELD');
  });
});

describe('movePortalDivision', () => {
  test('places a division behind a sibling, first and last, and back', async () => {
    const [root, a, b, c] = await rootWith('A', 'B', 'C');
    const placed = async (id: string, after?: string | null) => {
      assert.equal((await move(id, after === undefined ? {} : { after })).status, 200);
      return (await childrenOf(root)).join('');
    };
    assert.equal(await placed(a!, b), 'BAC');
    assert.equal(await placed(c!, null), 'CBA');
    assert.equal(await placed(b!), 'CAB');
    assert.equal(await placed(b!, c), 'CBA');
  });

  test('numbers siblings anew that have equal orders, and changes no other', async () => {
    const [root, a, b, c] = await rootWith('A', 'B', 'C');
    for (const id of [a, b, c]) await fixture.client.patch(`/divisions/${id}`, { order: 7 });
    const [first, second, third] = [a!, b!, c!].toSorted();
    assert.equal((await move(third!, { after: first! })).status, 200);
    const query = { filter: `parentId = ${root}`, sort: 'order' };
    const { items } = (await fixture.portal.get('/divisions', { key, query })).body;
    assert.deepEqual(
      items.map(({ id, order }: Division) => [id, order]),
      [
        [first, 1],
        [third, 2],
        [second, 3],
      ],
    );
  });

  test('stores nothing where the place stays the same', async () => {
    const [, a, b] = await rootWith('A', 'B');
    const before = await read(b!);
    assert.deepEqual((await move(b!, { after: a! })).body.division, before);
    assert.deepEqual(await read(b!), before);
  });

  test('says what moves with a division, and which keys gain and lose access; a dry run stores nothing', async () => {
    const { sql } = fixture;
    const [from, child] = await rootWith('Team');
    const [to] = await rootWith();
    const below = await testDivision(sql, { organizationId, tenantId, parentId: child! }, 'Below');
    await storeEmployees(sql, organizationId, [
      { tenant: tenantId, divisionId: child! },
      { tenant: tenantId, divisionId: below },
      { tenant: tenantId, divisionId: from },
    ]);
    const keyOf = async (...ids: string[]) => {
      const text = await testKey(sql, organizationId, {
        divisions: ids.map(id => ({ tenant: tenantId, id })),
      });
      return parseKey(text)!.id;
    };
    await testKey(sql, organizationId, { tenants: [tenantId] });
    await keyOf(from, to);
    await keyOf(child!);
    const [gaining, losing] = [await keyOf(to), await keyOf(from)];
    const state = await stateOf(sql);
    const planned = (await move(child!, { parentId: to }, { dryRun: true })).body;
    const idsOf = ({ items }: DivisionMove['gaining']) => items.map(({ id }) => id);
    assert.deepEqual([planned.divisions, planned.employees], [2, 2]);
    assert.deepEqual([idsOf(planned.gaining), idsOf(planned.losing)], [[gaining], [losing]]);
    assert.equal(await stateOf(sql), state);
    const { division: _, ...effects } = (await move(child!, { parentId: to })).body;
    assert.deepEqual(effects, {
      divisions: 2,
      employees: 2,
      gaining: planned.gaining,
      losing: planned.losing,
    });
    assert.deepEqual(await childrenOf(to), ['Team']);
  });

  test('409 INVALID_STATE_TRANSITION: it was moved after the user has read it, in a dry run too', async () => {
    const [root, a, b] = await rootWith('A', 'B');
    const { updatedAt: expectedUpdatedAt } = await read(b!);
    await move(b!, { parentId: null });
    const body = { expectedUpdatedAt, parentId: a! };
    for (const query of [{}, { dryRun: true }]) {
      const late = await fixture.portal.post(`/divisions/${b}/move`, body, { key, query });
      assert.equal(outcome(late), '409 INVALID_STATE_TRANSITION');
    }
    assert.deepEqual(await childrenOf(root), ['A']);
  });

  test('409 DIVISION_CYCLE, 409 DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL, 422 INVALID_REFERENCE, 422 VALIDATION_ERROR', async () => {
    const [root, a] = await rootWith('A', 'Same');
    const [other, same] = await rootWith('same');
    const to = async (id: string, place: Partial<DivisionMoveInput>) => outcome(await move(id, place));
    assert.equal(await to(root, { parentId: a! }), '409 DIVISION_CYCLE');
    assert.equal(await to(same!, { parentId: root }), '409 DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL');
    assert.equal(await to(a!, { parentId: fixture.testData.lager }), '422 INVALID_REFERENCE');
    assert.equal(await to(a!, { after: same! }), '422 INVALID_REFERENCE');
    let parentId = other;
    for (let level = 2; level <= 20; level++)
      parentId = await testDivision(fixture.sql, { organizationId, tenantId, parentId }, `Level ${level}`);
    assert.equal(await to(a!, { parentId }), '422 VALIDATION_ERROR');
  });

  test('422 VALIDATION_ERROR: more siblings need another order than a move changes', async () => {
    const [root, a] = await rootWith('A');
    const { sql } = fixture;
    const many = Array.from({ length: 1002 }, (_, n) => ({ name: `Sibling ${n}`, order: 1, parentId: root }));
    for (let at = 0; at < many.length; at += 100)
      await Promise.all(many.slice(at, at + 100).map(body => fixture.client.post('/divisions', body)));
    const [{ id }] = (await sql<{ id: string }[]>`
      SELECT id FROM division WHERE parent_id = ${root} ORDER BY sort_order, id OFFSET 500 LIMIT 1`) as any;
    assert.equal(outcome(await move(a!, { after: id })), '422 VALIDATION_ERROR');
    assert.equal(outcome(await move(a!, {})), '200');
  });
});

describe('the order of a place', () => {
  const at = (orders: number[], after: string | null | undefined) =>
    orderBehind(
      orders.map((order, index) => ({ id: String(index), order })),
      'new',
      after,
    );
  const only = (order: number) => [{ id: 'new', order }];

  test('is between its neighbours, one before the first, one behind the last', () => {
    assert.deepEqual(at([1, 2], '0'), only(1.5));
    assert.deepEqual(at([1, 2], null), only(0));
    assert.deepEqual(at([1, 2], undefined), only(3));
    assert.deepEqual(at([], null), only(1));
    assert.equal(at([1], 'unknown'), null);
  });

  test('is a new number for all where none is left, also at the ends of what a number can be', () => {
    const max = Number.MAX_VALUE;
    for (const [orders, after] of [
      [[7, 7], '0'],
      [[-max, max], null],
      [[-max, max], undefined],
    ] as const) {
      const placed = at([...orders], after)!;
      assert.deepEqual(placed.map(({ order }) => order).toSorted(), [1, 2, 3]);
    }
    assert.deepEqual(at([-max, max], '0'), only(0));
  });
});
