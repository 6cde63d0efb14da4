import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Employee } from '@kontor/contract';
import type { ListParameters } from '../../src/query/check.ts';
import type { Scope } from '../../src/auth/scope.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import {
  addEmployees,
  employee,
  id,
  insertTestData,
  lastingPlan,
  planOf,
  scopeOf,
  tenants,
  watchedCollection,
} from './support.ts';

const instant = '2026-01-01T00:00:00.000Z';
const later = '2026-01-01T00:00:00.001Z';

describe('the plan of lists of thousands with one updatedAt', () => {
  let test: TestDatabase;
  before(async () => {
    test = await testDatabase();
    await insertTestData(test.database.sql);
    const rows = Array.from({ length: 6_000 }, (_, n): Employee => {
      const updatedAt = n < 5_900 ? instant : later;
      return employee({ id: id('e', n), updatedAt, tenant: tenants[n % 3]! });
    });
    await addEmployees(test.database.sql, rows);
    await test.database.sql`ANALYZE`;
  });
  after(() => test.drop());

  /** Lists as a poller does. */
  function poll(scope: Scope, tenant: string | null) {
    const filter = `updatedAt >= ${instant} AND (updatedAt > ${instant} OR id > ${id('e', 3_000)})`;
    return explain({ filter, sort: 'updatedAt', pageSize: 10 }, scope, tenant);
  }

  /** Lists and answers the items with the plan of the statement that read them. */
  async function explain(parameters: ListParameters, scope: Scope, tenant: string | null) {
    const { list, watch } = watchedCollection(test.database.sql, { maxProbed: 0 });
    const body = await list(parameters, scope, tenant);
    return { body, plan: await planOf(test.database.sql, watch.statements.at(-1)!) };
  }

  it('of a poller is one index range for an organization', async () => {
    const { body, plan } = await poll(scopeOf('all'), null);
    assert.deepEqual(
      body.items.map(item => item.id),
      Array.from({ length: 10 }, (_, n) => id('e', 3_001 + n)),
    );
    assert.equal(body.totalElements, 2_999);
    assert.match(plan, /Index Scan using employee_updated .*\n.*Index Cond: .*ROW\(updated_at, id\) > ROW/);
    assert.doesNotMatch(plan, /Sort|Seq Scan on employee/);
  });

  it('of a poller is one index range for a tenant', async () => {
    const { body, plan } = await poll(scopeOf('all'), tenants[1]);
    assert.equal(body.totalElements, 1_000);
    assert.match(
      plan,
      /Index Scan using employee_tenant_updated .*\n.*Index Cond: .*ROW\(updated_at, id\) > ROW/,
    );
    assert.doesNotMatch(plan, /Sort|Seq Scan on employee/);
  });

  for (const [name, tenant, index] of [
    ['an organization, with one plan for all', null, 'employee_pkey'],
    ['a tenant, with one plan for all', tenants[1], 'employee_tenant_id'],
  ] as const)
    it(`of a list without filter reads along an index, for ${name}`, async () => {
      const { list, watch } = watchedCollection(test.database.sql);
      for (const page of [1, 2]) {
        await list({ page, pageSize: 10 }, scopeOf('all'), tenant);
        // A large organization among small ones would be planned again each time, which takes as long as reading the page.
        const plan = await lastingPlan(test.database.sql, watch.statements.at(-1)!);
        const [, condition] = new RegExp(`Index Scan using ${index} .*\n *Index Cond: (.*)`).exec(plan) ?? [];
        assert.match(condition ?? plan, /organization_id = \$\d/);
        if (tenant !== null) assert.match(condition!, /tenant_id = (\(InitPlan|\$\d)/);
      }
    });
});
