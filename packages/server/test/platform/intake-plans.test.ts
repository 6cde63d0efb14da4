import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderIntake } from '@kontor/contract';
import type { Queryable } from '../../src/db/session.ts';
import type { Fragment } from '../../src/db/sql.ts';
import { newOrder } from '../../src/features/orders/intake/take-in.ts';
import { readKnown } from '../../src/features/orders/intake/store.ts';
import { orderInput } from '../support/data/orders.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();

/** The statements that read what an intake depends on. */
async function statementsOf(): Promise<Fragment[]> {
  const statements: Fragment[] = [];
  const db = {
    async rows(statement: Fragment) {
      statements.push(statement);
      return [];
    },
  } as unknown as Queryable;
  const intake = orderInput({ externalId: 'shop-1', employeeId: 'f'.repeat(24) }) as unknown as OrderIntake;
  await readKnown(db, fixture.testData.organization, [newOrder(intake, { dryRun: false })]);
  return statements;
}

test('an intake is looked up by its own index, also while the database has no statistics of the table', async () => {
  const plans: string[] = [];
  const statements = await statementsOf();
  await fixture.sql.begin(async session => {
    await session.unsafe('SET LOCAL plan_cache_mode = force_generic_plan');
    for (const { text, values } of statements) {
      await session.unsafe(`PREPARE lookup AS ${text}`);
      const given = values.map(value =>
        Array.isArray(value) ? `'{${value.join(',')}}'` : `'${String(value)}'`,
      );
      const plan = await session.unsafe<{ 'QUERY PLAN': string }>(
        `EXPLAIN EXECUTE lookup(${given.join(', ')})`,
      );
      plans.push(plan.map(row => row['QUERY PLAN']).join('\n'));
      await session.unsafe('DEALLOCATE lookup');
    }
  });
  const names = ['employee_order_external_id', 'employee_order_number', 'employee_pkey'];
  for (const [n, name] of names.entries())
    assert.match(plans[n]!, new RegExp(`Index (Only )?Scan using ${name} on`));
});
