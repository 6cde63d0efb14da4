import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Employee } from '@kontor/contract';
import type { Scope } from '../../src/scope.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { addEmployees, employee, id, insertWorld, scopeOf, tenants, watchedCollection } from './support.ts';

const instant = '2026-01-01T00:00:00.000Z';
const later = '2026-01-01T00:00:00.001Z';

describe('the plan of a poller behind a row of thousands with one updatedAt', () => {
  let test: TestDatabase;
  before(async () => {
    test = await testDatabase();
    await insertWorld(test.database.sql);
    const rows = Array.from({ length: 6_000 }, (_, n): Employee => {
      const updatedAt = n < 5_900 ? instant : later;
      return employee({ id: id('e', n), updatedAt, tenant: tenants[n % 3]! });
    });
    await addEmployees(test.database.sql, rows);
    await test.database.sql`ANALYZE`;
  });
  after(() => test.drop());

  /** Lists as a poller does and answers the items with the plan of the statement that read them. */
  async function poll(scope: Scope, tenant: string | null) {
    const { list, watch } = watchedCollection(test.database.sql);
    const filter = `updatedAt >= ${instant} AND (updatedAt > ${instant} OR id > ${id('e', 3_000)})`;
    const body = await list({ filter, sort: 'updatedAt', pageSize: 10 }, scope, tenant);
    const { text, values } = watch.statements.at(-1)!;
    const plan = await test.database.sql.unsafe(`EXPLAIN (COSTS OFF) ${text}`, values as never[]);
    return { body, plan: plan.map(row => row['QUERY PLAN'] as string).join('\n') };
  }

  it('is one index range for an organization', async () => {
    const { body, plan } = await poll(scopeOf('all'), null);
    assert.deepEqual(
      body.items.map(item => item.id),
      Array.from({ length: 10 }, (_, n) => id('e', 3_001 + n)),
    );
    assert.equal(body.totalElements, 2_999);
    assert.match(plan, /Index Scan using employee_updated .*\n.*Index Cond: .*ROW\(updated_at, id\) > ROW/);
    assert.doesNotMatch(plan, /Sort|Seq Scan on employee/);
  });

  it('is one index range for a tenant', async () => {
    const { body, plan } = await poll(scopeOf('all'), tenants[1]);
    assert.equal(body.totalElements, 1_000);
    assert.match(
      plan,
      /Index Scan using employee_tenant_updated .*\n.*Index Cond: .*ROW\(updated_at, id\) > ROW/,
    );
    assert.doesNotMatch(plan, /Sort|Seq Scan on employee/);
  });
});
