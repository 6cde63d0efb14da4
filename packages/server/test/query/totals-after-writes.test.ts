import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Employee, parseFilter } from '@kontor/contract';
import { atScale } from '../support/service/scale.ts';
import type { Sql } from '../support/database/sql.ts';
import { updateEmployees } from '../../src/features/employees/store.ts';
import { runAtClock } from '../../src/write/run-at-clock.ts';
import { operator } from '../../src/write/writes.ts';
import type { Grant } from '../../src/auth/scope.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { removeEmployee, storeEmployees } from '../support/data/employees.ts';
import { moveDivision } from '../support/data/tree.ts';
import {
  divisions,
  expectedList,
  insertTestData,
  replaceEmployees,
  scopeOf,
  tenants,
  watchedCollection,
} from './support.ts';

let test: TestDatabase;
let sql: Sql;
before(async () => {
  test = await testDatabase();
  sql = test.database.sql;
  await insertTestData(sql);
});
after(() => test.drop());

const organization = scopeOf('all').organizationId;

/** Changes an employee as the service does. */
async function change(before: Employee, patch: Partial<Employee>): Promise<Employee> {
  const update = { before, after: { ...before, ...patch }, fields: Object.keys(patch) };
  const [doc] = await runAtClock(sql, organization, operator, write =>
    updateEmployees([{ write, ...update }]),
  );
  return JSON.parse(doc!) as Employee;
}

const store = (staff: Parameters<typeof storeEmployees>[2]) => storeEmployees(sql, organization, staff);

const places = [
  { tenant: null, divisionId: null },
  ...tenants.map(tenant => ({ tenant, divisionId: null })),
  ...divisions.map(({ id, tenant }) => ({ tenant, divisionId: id })),
];
const filters = ['city = Bonn', 'city != Bonn', "city CONTAINS 'nn' OR blocked = true", 'divisionId IS NULL'];
const grants: ('all' | Grant[])[] = [
  'all',
  [{ tenantId: tenants[0], divisions: 'all' }],
  [
    { tenantId: tenants[0], divisions: 'all' },
    { tenantId: tenants[1], divisions: 'all' },
  ],
  [
    { tenantId: tenants[0], divisions: [divisions[0].id] },
    { tenantId: tenants[1], divisions: 'all' },
  ],
];

const step = fc.oneof(
  fc.record({ kind: fc.constant('create'), city: fc.nat(1), place: fc.nat(places.length - 1) }),
  fc.record({ kind: fc.constant('city'), who: fc.nat(), city: fc.nat(1) }),
  fc.record({ kind: fc.constant('move'), who: fc.nat(), to: fc.nat() }),
  fc.record({ kind: fc.constant('remove'), who: fc.nat() }),
  fc.record({
    kind: fc.constant('list'),
    filter: fc.nat(filters.length - 1),
    grants: fc.nat(grants.length - 1),
    tenant: fc.option(fc.constantFrom(...tenants), { freq: 2 }),
    page: fc.integer({ min: 1, max: 3 }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const cities = ['Bonn', 'Köln'];

async function takeStep(staff: Employee[], one: Step, collection: ReturnType<typeof watchedCollection>) {
  const who = 'who' in one && staff.length > 0 ? one.who % staff.length : -1;
  if ('place' in one) {
    staff.push(...(await store([{ city: cities[one.city]!, ...places[one.place] }])));
  } else if ('filter' in one) {
    const scope = scopeOf(grants[one.grants]!);
    const filter = filters[one.filter]!;
    const all = expectedList(staff, {}, parseFilter(filter), scope, one.tenant);
    // The end of the page before is forgotten by then: a walk that goes on from it may go on behind the total.
    collection.watch.at += 200_000;
    const body = await collection.list({ filter, page: one.page, pageSize: 3 }, scope, one.tenant);
    assert.equal(body.totalElements, all.length);
    assert.deepEqual(body.items, all.slice(3 * (one.page - 1), 3 * one.page));
  } else if (who < 0) {
    return;
  } else if ('city' in one) {
    staff[who] = await change(staff[who]!, { city: cities[one.city]! });
  } else if ('to' in one) {
    const possible = divisions.filter(division => division.tenant === staff[who]!.tenant);
    const target = possible[one.to % (possible.length + 1)];
    staff[who] = await change(staff[who]!, { divisionId: target?.id ?? null });
  } else {
    await removeEmployee(sql, organization, staff[who]!.id);
    staff.splice(who, 1);
  }
}

describe('a total after writes', () => {
  for (const path of ['ordered', 'cheapest'] as const)
    it(
      `is that of counting, whatever was written since, on the ${path} path`,
      { timeout: 120_000 },
      async () => {
        const options = path === 'ordered' ? { choosePath: () => path } : {};
        const run = async (steps: Step[]) => {
          await replaceEmployees(sql, []);
          const collection = watchedCollection(sql, options);
          const staff: Employee[] = [];
          for (const one of steps) await takeStep(staff, one, collection);
        };
        await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), run), {
          numRuns: atScale(30, 200),
        });
      },
    );

  const filter = 'city = Bonn';
  async function started() {
    await replaceEmployees(sql, []);
    const staff = await store([{ city: 'Bonn' }, { city: 'Köln' }, { city: 'Bonn', tenant: tenants[0] }]);
    const { list, watch } = watchedCollection(sql, { choosePath: () => 'ordered' });
    assert.equal((await list({ filter })).totalElements, 2);
    watch.statements.length = 0;
    return { staff, list, watch };
  }

  it('is counted again for a key of divisions, of which one came and one left', async () => {
    const { list } = await started();
    const [parent, leaving, , coming] = divisions;
    const key = scopeOf([{ tenantId: parent.tenant, divisions: [parent.id] }]);
    await store([
      { city: 'Köln', tenant: leaving.tenant, divisionId: leaving.id },
      { city: 'Bonn', tenant: coming.tenant, divisionId: coming.id },
    ]);
    assert.equal((await list({ filter }, key)).totalElements, 0);
    await moveDivision(sql, organization, { id: leaving.id, parentId: null });
    await moveDivision(sql, organization, { id: coming.id, parentId: parent.id });
    assert.equal((await list({ filter }, key)).totalElements, 1);
    await moveDivision(sql, organization, { id: coming.id, parentId: null });
    await moveDivision(sql, organization, { id: leaving.id, parentId: parent.id });
  });

  it('shows a page that was behind the end when a row has come there meanwhile', async () => {
    const { list, watch } = await started();
    watch.before = async () => {
      watch.before = async () => {};
      await store([{ city: 'Bonn' }]);
      await list({ filter });
    };
    const body = await list({ filter, page: 2, pageSize: 2 });
    assert.deepEqual([body.totalElements, body.items.length], [3, 1]);
  });

  it('costs one statement a page once it is known', async () => {
    const { list, watch } = await started();
    await store([{ city: 'Bonn' }]);
    await list({ filter });
    const before = watch.statements.length;
    const bodies = await Promise.all(Array.from({ length: 20 }, () => list({ filter })));
    assert.ok(bodies.every(body => body.totalElements === 3));
    assert.equal(watch.statements.length, before + 20);
  });
});
