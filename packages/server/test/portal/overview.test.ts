import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SearchKind, searchKinds, type SearchResult } from '@kontor/contract';
import type { Queryable } from '../../src/db/session.ts';
import { type Fragment, raw, sql as statement } from '../../src/db/sql.ts';
import { parseKey } from '../../src/auth/api-keys.ts';
import type { Scope } from '../../src/auth/scope.ts';
import { searchedEmployees } from '../../src/features/employees/store.ts';
import { countUnderReview } from '../../src/features/orders/store.ts';
import { searchStatement } from '../../src/query/search-all.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { orderInput, storeOrders } from '../support/data/orders.ts';
import { ofTest } from '../support/database/sent-statements.ts';
import { testDivision, testKey } from '../support/data/test-data.ts';
import { invitedUser, signedInUser } from '../support/data/users.ts';
import { asAsker, type Asker, makeAskers } from './askers.ts';
import { outcome, usePortal } from './support.ts';

let askers: Asker[];
/** Each of what is searched for, by its identifier. */
const placed = new Map<string, { kind: SearchKind; tenants: 'all' | readonly string[]; of: string }>();

const fixture = usePortal(async fixture => {
  askers = await makeAskers(fixture);
  const { sql, testData } = fixture;
  const { organization, tenantA, tenantB, foreign } = testData;
  for (const [of, tenantId] of [
    [organization, tenantA],
    [organization, tenantB],
    [foreign.organization, foreign.tenant],
  ] as const) {
    const place = { organizationId: of, tenantId };
    const email = `zoe.${tenantId}@example.com`;
    const [employee] = await storeEmployees(sql, of, [
      { firstName: 'Zoé', lastName: 'Zirkel', email, tenant: tenantId },
    ]);
    const [order] = await storeOrders(sql, place, [
      orderInput({ orderNumber: `ZIRKEL-${tenantId}`, employeeId: employee!.id }),
    ]);
    const found = {
      company: tenantId,
      division: await testDivision(sql, place, 'Zirkel Nord'),
      key: parseKey(await testKey(sql, of, { tenants: [tenantId] }))!.id,
      employee: employee!.id,
      order: order!.id,
    };
    for (const [kind, id] of Object.entries(found))
      placed.set(id, { kind: kind as SearchKind, tenants: [tenantId], of });
    const user = await invitedUser(sql, of, { name: 'Zirkel', permissions: ['COMPANY_ADMIN'] });
    placed.set(user.id, { kind: 'user', tenants: 'all', of });
  }
  await sql`UPDATE tenant SET folded_name = 'zirkel'`;
  // More than five matching keys would hide some of them.
  await sql`UPDATE api_key SET folded_name = 'zirkel' WHERE id = ANY(${[...placed.keys()]}::text[])`;
});

/** Whether an asker may find something. */
const readsOfHr = ({ permissions }: Asker) => permissions.has('HR') || permissions.has('AUDIT');

function isFound(
  asker: Asker,
  { kind, tenants, of }: { kind: SearchKind; tenants: 'all' | readonly string[]; of: string },
) {
  if (asker.organization !== of) return false;
  if (kind === 'user') return asker.permissions.has('COMPANY_ADMIN');
  const isOfHr = kind === 'employee' || kind === 'order';
  if (isOfHr && !readsOfHr(asker)) return false;
  const seen = isOfHr ? asker.hrTenants : asker.tenants;
  return seen === 'all' || (tenants !== 'all' && tenants.every(tenant => seen.includes(tenant)));
}

const search = async (
  key: string,
  text: string,
  kinds: readonly SearchKind[] = searchKinds,
  tenant?: string,
) => {
  const { body } = await fixture.portal.post(
    '/search',
    { text, kinds },
    { key, query: tenant ? { tenant } : {} },
  );
  return body.items as SearchResult[];
};

describe('the search over everything', () => {
  test('finds what each kind of user may see, and nothing else', async () => {
    for (const known of askers)
      await asAsker(fixture, known, async asker => {
        const found = new Set((await search(asker.key, 'zirkel')).map(({ id }) => id));
        for (const [id, row] of placed)
          assert.equal(
            found.has(id),
            isFound(asker, row),
            `${asker.name}: ${row.kind} of ${String(row.tenants)}`,
          );
      });
  });

  test('finds only the kinds that it is asked for', async () => {
    const { key } = askers.find(({ name }) => name === 'all permissions')!;
    const found = await search(key, 'zirkel', ['division', 'order']);
    assert.deepEqual([...new Set(found.map(({ kind }) => kind))], ['division', 'order']);
  });

  test('folds, and takes words in any order and from several fields', async () => {
    const { key } = askers.find(({ name }) => name === 'all permissions')!;
    for (const text of ['ZOÉ', 'zirkel zoe\u0301', 'zirkel  ZO', 'zoe.', 'Zirkel, Zoe', 'Zoë;Zirkel'])
      assert.equal((await search(key, text, ['employee'])).length, 2, text);
    assert.deepEqual(await search(key, 'zoe zirkel nobody', ['employee']), []);
    assert.deepEqual(await search(key, '%', searchKinds), [], 'no pattern');
  });

  test('without words finds the first of each kind but of persons and orders, which are many', async () => {
    const { key } = askers.find(({ name }) => name === 'all permissions')!;
    const found = await search(key, '  ');
    assert.deepEqual([...new Set(found.map(({ kind }) => kind))], ['company', 'division', 'key', 'user']);
  });

  test('finds only what belongs to the company that it is narrowed to', async () => {
    const { tenantA, foreign } = fixture.testData;
    const { key } = askers.find(({ name }) => name === 'all permissions')!;
    for (const text of ['zirkel', '']) {
      const tenants = (await search(key, text, searchKinds, tenantA)).map(({ tenant }) => tenant);
      assert.deepEqual([...new Set(tenants)], [tenantA], text);
    }
    assert.deepEqual(await search(key, 'zirkel', searchKinds, foreign.tenant), []);
  });

  test('has the path of a division, and up to twenty results of a single kind', async () => {
    const { sql, testData } = fixture;
    const { organization, tenantB } = testData;
    const { key } = askers.find(({ name }) => name === 'all permissions')!;
    const place = { organizationId: organization, tenantId: tenantB };
    const root = await testDivision(sql, place, 'Werk 1');
    const hall = await testDivision(sql, { ...place, parentId: root }, 'Halle');
    for (let made = 0; made < 21; made++)
      await testDivision(sql, { ...place, parentId: hall }, `Linie ${String(made).padStart(2, '0')}`);
    const lines = await search(key, 'linie', ['division']);
    assert.equal(lines.length, 20);
    assert.deepEqual(lines[0]!.path, ['Werk 1', 'Halle', 'Linie 00']);
    assert.deepEqual((await search(key, hall, ['division']))[0]!.path, ['Werk 1', 'Halle']);
    assert.equal((await search(key, 'linie', ['division', 'company'])).length, 5);
  });

  test('says of each what tells it from others, and shows those that begin so first', async () => {
    const { sql, testData } = fixture;
    const { organization, tenantA } = testData;
    const { key } = askers.find(({ name }) => name === 'all permissions')!;
    const [person] = await search(key, `zoe.${tenantA}`, ['employee']);
    assert.deepEqual(
      { ...person, id: '' },
      { kind: 'employee', id: '', name: 'Zoé Zirkel', detail: 'Muster GmbH', tenant: tenantA, path: [] },
    );
    const [order] = await search(key, `zirkel-${tenantA}`, ['order']);
    assert.equal(order!.detail, 'Zoé Zirkel');
    for (const name of ['Ost', 'West', 'Süd', 'Mitte', 'Rand', 'Abseits'])
      await testDivision(sql, { organizationId: organization, tenantId: tenantA }, `Quartier ${name}`);
    await testDivision(sql, { organizationId: organization, tenantId: tenantA }, 'Altes Quartier');
    const divisions = await search(key, 'quartier', ['division']);
    assert.deepEqual(
      divisions.map(({ name }) => name),
      [
        ...['Abseits', 'Mitte', 'Ost', 'Rand', 'Süd', 'West'].map(name => `Quartier ${name}`),
        'Altes Quartier',
      ],
    );
  });

  test('rejects an unknown kind and a text without an end', async () => {
    const { key } = askers[0]!;
    const reject = async (body: object) => outcome(await fixture.portal.post('/search', body, { key }));
    assert.equal(await reject({ text: 'a', kinds: ['session'] }), '400 VALIDATION_ERROR');
    assert.equal(await reject({ text: 'a'.repeat(201), kinds: ['key'] }), '400 VALIDATION_ERROR');
    assert.equal(await reject({ text: 'a', kinds: [] }), '400 VALIDATION_ERROR');
  });
});

describe('the summary', () => {
  const summary = async (key: string, tenant?: string) =>
    (await fixture.portal.get('/summary', { key, query: tenant ? { tenant } : {} })).body;

  test('counts the orders of HR, names the users of COMPANY_ADMIN, and is null for others', async () => {
    const { sql, testData } = fixture;
    const late = await invitedUser(sql, testData.organization, { name: 'Aaron Late' });
    await sql`UPDATE portal_user SET link_expires_at = now() WHERE organization_id = ${testData.organization} AND id = ${late.id}`;
    for (const known of askers)
      await asAsker(fixture, known, async asker => {
        const { ordersUnderReview, expiredInvitations } = await summary(asker.key);
        const orders = [...placed.values()].filter(row => row.kind === 'order' && isFound(asker, row));
        assert.equal(ordersUnderReview, readsOfHr(asker) ? orders.length : null, asker.name);
        assert.equal(expiredInvitations !== null, asker.permissions.has('COMPANY_ADMIN'), asker.name);
        const isNamed = expiredInvitations?.items.some(({ id }: { id: string }) => id === late.id) ?? false;
        assert.equal(
          isNamed,
          asker.permissions.has('COMPANY_ADMIN') && asker.organization === testData.organization,
        );
      });
  });

  test('has the keys within the scope, as the list counts them, also those of one company', async () => {
    const { testData } = fixture;
    const filter = 'status = active';
    for (const known of askers)
      await asAsker(fixture, known, async ({ key, name }) => {
        for (const tenant of [undefined, testData.tenantA, testData.tenantB, testData.foreign.tenant]) {
          const { workingKeys } = await summary(key, tenant);
          const { body } = await fixture.portal.post(
            '/api-keys/search',
            { filter },
            { key, query: tenant ? { tenant } : {} },
          );
          assert.equal(workingKeys, body.totalElements, `${name}, ${tenant}`);
        }
      });
  });

  test('counts the keys of each set as the list does', async () => {
    const { sql, testData } = fixture;
    const { organization } = testData;
    const { key } = askers.find(({ name }) => name === 'IT')!;
    const id = parseKey(await testKey(sql, organization, 'all'))!.id;
    const before = await summary(key);
    await grownOld(id);
    const after = await summary(key);
    for (const [set, filter] of [
      ['noRecentActivity', 'health = no_recent_activity'],
      ['expiring', 'expiring = true'],
      ['unused', 'unused = true'],
    ] as const) {
      assert.equal(after[set], before[set] + 1, set);
      const { body } = await fixture.portal.post('/api-keys/search', { filter }, { key });
      assert.equal(body.totalElements, after[set], filter);
    }
    assert.equal(after.workingKeys, before.workingKeys);
  });
});

/** Makes a key one without recent activity, which expires and is unused. */
async function grownOld(id: string): Promise<void> {
  await fixture.sql`
    UPDATE api_key SET expires_at = now() + interval '3 days', created_at = now() - interval '1 year',
      last_used_at = now() - interval '100 days', last_success_at = now() - interval '100 days', expected_interval = 3600
    WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
}

describe('a list of one company', () => {
  test('has the keys that see it, and the users whose permissions cover it', async () => {
    const { sql, portal, testData } = fixture;
    const { organization, tenantA, tenantB, sales } = testData;
    const { key } = askers.find(({ name }) => name === 'all permissions')!;
    const made = {
      all: await testKey(sql, organization, 'all'),
      a: await testKey(sql, organization, { tenants: [tenantA] }),
      division: await testKey(sql, organization, { divisions: [{ tenant: tenantA, id: sales }] }),
      b: await testKey(sql, organization, { tenants: [tenantB] }),
    };
    const hr = (hrTenants: string[] | null) =>
      invitedUser(sql, organization, { permissions: ['HR'], hrTenants });
    const users = {
      hrOfA: await hr([tenantA]),
      hrOfB: await hr([tenantB]),
      hrEverywhere: await hr(null),
      it: await invitedUser(sql, organization, { permissions: ['IT', 'HR'], hrTenants: [tenantB] }),
    };
    const query = { tenant: tenantA };
    const ids = async (path: string) =>
      new Set(
        (await portal.post(path, { pageSize: 1000 }, { key, query })).body.items.map(
          ({ id }: { id: string }) => id,
        ),
      );
    const keys = await ids('/api-keys/search');
    assert.deepEqual(
      Object.entries(made).flatMap(([name, text]) => (keys.has(parseKey(text)!.id) ? [name] : [])),
      ['all', 'a', 'division'],
    );
    const listed = await ids('/users/search');
    assert.deepEqual(
      Object.entries(users).flatMap(([name, { id }]) => (listed.has(id) ? [name] : [])),
      ['hrOfA', 'hrEverywhere', 'it'],
    );
  });

  test('of a company out of scope is empty', async () => {
    const { testData, portal, sql } = fixture;
    const { secret } = await signedInUser(sql, testData.organization, {
      permissions: ['HR'],
      hrTenants: [testData.tenantA],
    });
    const { body } = await portal.post(
      '/api-keys/search',
      {},
      { key: secret, query: { tenant: testData.tenantB } },
    );
    assert.equal(body.totalElements, 0);
  });
});

describe('many rows are found by an index', () => {
  const scope = (): Scope => ({
    organizationId: fixture.testData.organization,
    callerId: '',
    grants: [{ tenantId: fixture.testData.tenantA, divisions: 'all' }],
  });

  /** The plan of a statement where tables are not read as a whole if there is another way. */
  async function planOf(work: (db: Queryable) => Promise<unknown>): Promise<string> {
    let plan = '';
    await fixture.sql.begin(async session => {
      await session.run(ofTest(raw('SET LOCAL enable_seqscan = off')));
      const explain: Queryable = {
        async rows(text: Fragment) {
          const rows = await session.rows<Record<string, string>>(ofTest(statement`EXPLAIN ${text}`));
          plan = rows.map(row => row['QUERY PLAN']!).join('\n');
          return [{ count: 0 }] as never;
        },
        run: () => Promise.reject(new Error('it reads rows')),
      };
      await work(explain);
    });
    // On a cluster, a shard has the name of its table or index with a number.
    return plan.replaceAll(/_\d{6}\b/g, '');
  }

  test('employees are searched only for a word that the index finds', () => {
    assert.equal(searchStatement('an b', [['employee', searchedEmployees(scope())]]), null);
  });

  test('orders under review', async () => {
    const plan = await planOf(db => countUnderReview(db, scope(), null));
    assert.match(plan, /using employee_order_due on employee_order/);
    assert.match(plan, /Index Cond: .*tenant_id/);
  });
});
