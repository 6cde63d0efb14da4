import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { checkList, type ListParameters } from '../../src/query/check.ts';
import { boundOf } from '../../src/query/indexed.ts';
import { combineFilter } from '../../src/query/list-filter.ts';
import type { Sql } from '../support/database/sql.ts';
import { execute } from '../../src/db/pool.ts';
import { employeeResource } from '../../src/features/employees/mapping.ts';
import { accessOf, type Scope } from '../../src/auth/scope.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import {
  addEmployees,
  divisions,
  employee,
  id,
  insertTestData,
  isProbe,
  lastingPlan,
  removeEmployees,
  replaceEmployees,
  scopeOf,
  tenants,
  watchedCollection,
  planOf,
} from './support.ts';

let test: TestDatabase;
let sql: Sql;
before(async () => {
  test = await testDatabase();
  sql = test.database.sql;
  // The plans are asserted: statistics that are taken in the middle of a test would change them.
  await sql.unsafe('ALTER TABLE employee SET (autovacuum_enabled = false)');
  await insertTestData(sql);
});
after(() => test.drop());

const instant = '2026-01-01T00:00:00.000Z';
const later = '2026-01-01T00:00:00.001Z';
const division = divisions[0];
const person = (n: number) =>
  employee({
    id: id('e', n),
    email: `p${n}@example.com`,
    employeeNumber: `N-${n}`,
    lastName: n % 10 === 0 ? 'Müller' : null,
    city: n % 2 === 0 ? 'Bonn' : 'Köln',
    tenant: division.tenant,
    divisionId: n % 3 === 0 ? division.id : null,
  });
const hundred = Array.from({ length: 100 }, (_, n) => person(n));

const everyone = scopeOf('all');
const keys: [string, Scope, string | null][] = [
  ['the organization', everyone, null],
  ['a tenant', everyone, division.tenant],
  ['tenants', scopeOf([division.tenant, tenants[1]].map(tenantId => ({ tenantId, divisions: 'all' }))), null],
  ['a division', scopeOf([{ tenantId: division.tenant, divisions: [division.id] }]), null],
];

/** Pages that an index finds few rows for, with other values each time; those of person 0 and 30 are seen by all keys. */
const lookups: Record<string, (n: number) => ListParameters> = {
  'an email': n => ({ filter: `email = P${n}@example.com` }),
  'personnel numbers': n => ({ filter: `employeeNumber IN ('n-${n}', 'N-${n + 1}', x)`, sort: 'lastName' }),
  'a name and a city': n => ({ filter: `city = Bonn AND lastName = 'MÜLLER' AND email != p${n}x` }),
  'an identifier': n => ({ filter: `id = ${id('e', n)}` }),
  'what changed since, and nothing has': n => ({
    sort: 'updatedAt',
    filter: `updatedAt >= ${later} AND (updatedAt > ${later} OR id > ${id('f', n)})`,
  }),
  'a time of creation that nobody was created in': n => ({
    createdAtFrom: `2027-01-01T00:00:${10 + (n % 49)}Z`,
  }),
};

describe('a list that an index finds few rows for', () => {
  beforeEach(() => replaceEmployees(sql, hundred));

  for (const [what, query] of Object.entries(lookups))
    for (const [key, scope, tenant] of keys)
      it(`costs one prepared statement of one text: ${what}, for a key of ${key}`, async () => {
        const { list, watch } = watchedCollection(sql);
        for (const n of [0, 30, 60]) {
          const body = await list(query(n), scope, tenant);
          assert.equal(body.totalElements, body.items.length);
          assert.equal(body.items.length === 0, /nobody|nothing/.test(what));
        }
        assert.equal(watch.statements.length, 3);
        assert.equal(new Set(watch.statements.map(({ text }) => text)).size, 1);
        for (const { prepare, brief } of watch.running) assert.deepEqual([prepare, brief], [true, true]);
      });

  it('costs one statement again after a write, which empties the cache', async () => {
    const { list, watch } = watchedCollection(sql);
    const query = { filter: 'lastName = Müller', pageSize: 3 };
    for (let n = 10; n < 13; n++) {
      assert.equal((await list(query)).totalElements, n);
      await addEmployees(sql, [person(n * 1000)]);
    }
    assert.equal(watch.statements.length, 3);
  });

  it('costs one statement a page on a walk, which goes on behind the last row', async () => {
    const { list, watch } = watchedCollection(sql);
    const visited: [string[], number][] = [];
    for (let page = 1; page <= 4; page++) {
      const { items, totalPages } = await list({ filter: 'lastName = Müller', pageSize: 3, page });
      visited.push([items.map(item => item.id), totalPages]);
      await removeEmployees(sql, [items.at(-1)!.id]);
    }
    const [a, b, c, d] = [[0, 10, 20], [30, 40, 50], [60, 70, 80], [90]].map(numbers =>
      numbers.map(n => id('e', n)),
    ) as [string[], string[], string[], string[]];
    assert.deepEqual(visited, [
      [a, 4],
      [b, 3],
      // Only 8 are left, but one of them follows.
      [c, 4],
      [d, 4],
    ]);
    assert.equal(watch.statements.length, 5);
  });

  it('may begin at any page, up to 2^53 - 1', async () => {
    const { list, watch } = watchedCollection(sql);
    for (const page of [4, 5, 2 ** 31, 2 ** 53 - 1]) {
      const { items, ...rest } = await list({ filter: 'lastName = Müller', pageSize: 3, page });
      assert.deepEqual(rest, { page, pageSize: 3, totalPages: 4, totalElements: 10 });
      assert.deepEqual(
        items.map(item => item.id),
        page === 4 ? [id('e', 90)] : [],
      );
    }
    assert.equal(watch.statements.length, 4);
  });

  it('stands in no line with those of long pages', async () => {
    const { list, watch } = watchedCollection(sql);
    await list({ filter: 'email = p1@example.com', pageSize: 101 });
    assert.equal(watch.running[0]!.brief, false);
  });
});

describe('a list that an index finds more rows for than are probed', () => {
  beforeEach(() => replaceEmployees(sql, hundred));

  it('is counted, and is not probed again while its total is cached', async () => {
    const { list, watch } = watchedCollection(sql, { maxProbed: 9 });
    const query = { filter: 'lastName = Müller' };
    assert.equal((await list(query)).totalElements, 10);
    const first = watch.statements.length;
    assert.ok(first > 1);
    assert.equal((await list(query)).totalElements, 10);
    assert.equal(watch.statements.length, first + 1);
    assert.ok(!isProbe(watch.statements.at(-1)!));
  });

  it('is read no further than to one row more', async () => {
    const { list, watch } = watchedCollection(sql, { maxProbed: 5 });
    const filters = ['lastName = Müller', 'lastName IN (Müller, Meier)', `updatedAt >= ${instant}`];
    for (const filter of filters)
      for (const [, scope, tenant] of keys) {
        watch.statements.length = 0;
        await list({ filter, sort: 'email' }, scope, tenant);
        const probes = watch.statements.filter(isProbe);
        const [row] = await execute(sql.database.lists)(probes.at(-1)!, { prepare: false });
        assert.equal(row![1], null);
        for (const probe of probes) {
          const plan = await planOf(sql, probe, 'ANALYZE, COSTS OFF, TIMING OFF, BUFFERS OFF');
          const lines = plan.split('\n');
          const scans = lines.filter(line => / on employee /.test(line));
          assert.ok(scans.length > 0);
          for (const scan of scans) assert.match(scan, /Index.* Scan .*rows=[1-6](\.00)? /);
          // Nobody's ancestors are looked up, either.
          for (const line of lines)
            if (line.includes('division_ancestor')) assert.match(line, /never executed/);
        }
      }
  });

  it('is probed where nothing is expected, so that an idle poller costs one statement while others write', async () => {
    const { list, watch } = watchedCollection(sql, { maxProbed: 9 });
    const ofOther = scopeOf([{ tenantId: tenants[1], divisions: 'all' }]);
    await addEmployees(sql, [employee({ id: id('e', 500), tenant: tenants[1], updatedAt: later })]);
    const caughtUp = await list({ sort: 'updatedAt', filter: `updatedAt >= ${instant}` }, ofOther);
    assert.equal(caughtUp.items.length, 1);
    const filter = `updatedAt >= ${later} AND (updatedAt > ${later} OR id > ${id('e', 500)})`;
    for (let n = 0; n < 3; n++) {
      watch.statements.length = 0;
      assert.equal((await list({ sort: 'updatedAt', filter }, ofOther)).totalElements, 0);
      assert.equal(watch.statements.length, 1);
      await addEmployees(sql, [{ ...person(600 + n), updatedAt: '2026-01-02T00:00:00.000Z' }]);
    }
  });
});

describe('the plan of a probe', () => {
  before(async () => {
    // In no order, so that to go along an index seems to cost more than to read a table of this size.
    const many = Array.from({ length: 6_000 }, (_, n) => {
      const at = new Date(Date.parse(instant) - ((n * 7_919) % 6_000) * 1000).toISOString();
      return { ...person(n), createdAt: at, updatedAt: at };
    });
    await replaceEmployees(sql, many);
    await sql`ANALYZE`;
  });

  for (const [what, query] of Object.entries(lookups))
    for (const [key, scope, tenant] of keys)
      it(`is the same for all values, and a range of an index: ${what}, for a key of ${key}`, async () => {
        const { list, watch } = watchedCollection(sql);
        await list(query(30), scope, tenant);
        const plan = await lastingPlan(sql, watch.statements[0]!);
        assert.doesNotMatch(plan, /'\d|'\{|Seq Scan on employee/);
        const [, condition] = /Scan using \w+ on employee.*\n *Index Cond: (.*)/.exec(plan)!;
        const column = { email: 'folded_email', number: 'folded_employee_number' };
        assert.match(condition!, /organization_id = (\(InitPlan|\$\d)/);
        if (what === 'an email') assert.ok(condition!.includes(column.email));
        if (what === 'personnel numbers') assert.ok(condition!.includes(column.number));
        if (what.startsWith('what changed')) assert.match(condition!, /ROW\(updated_at, id\) > ROW/);
      });
});

describe('the bound that is probed', () => {
  const bound = (filter: string, scope = everyone, tenant: string | null = null) => {
    const selection = { table: employeeResource, scope, tenant, access: accessOf(scope, tenant) };
    return boundOf({ ...selection, filter: combineFilter(checkList({ filter }, employeeResource.fields)) });
  };
  const fieldOf = (filter: string) => bound(filter)?.on.field.name ?? null;

  it('is an equality or list of values before a range, and a tenant or division last', () => {
    assert.equal(fieldOf('updatedAt > 2026-01-01T00:00:00Z AND lastName = x'), 'lastName');
    assert.equal(fieldOf('tenant = a AND updatedAt > 2026-01-01T00:00:00Z'), 'updatedAt');
    assert.equal(fieldOf('divisionId = a AND email IN (a, b)'), 'email');
    assert.equal(fieldOf('divisionId = a AND city = b'), 'divisionId');
  });

  it('has all terms on the field of a range', () => {
    const at = '2026-01-01T00:00:00Z';
    const { terms, rest } = bound(
      `updatedAt < 2027-01-01T00:00:00Z AND (city = a AND (updatedAt > ${at} OR id > a)) AND updatedAt >= ${at}`,
    )!;
    assert.equal(terms.kind === 'and' && terms.terms.length, 3);
    assert.deepEqual(rest, { kind: 'comparison', field: 'city', operator: '=', value: 'a' });
  });

  it('is none where no index serves a term, or only one of several of which one must hold', () => {
    for (const filter of [
      'city = a',
      'email != a',
      'email CONTAINS a',
      'email IS NULL',
      'lastName IS NULL',
      'email = a OR city = b',
      'updatedAt > 2026-01-01T00:00:00Z OR id > a',
    ])
      assert.equal(bound(filter), null);
  });
});
