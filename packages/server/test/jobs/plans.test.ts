import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Queryable } from '../../src/db/session.ts';
import { raw, sql as statement } from '../../src/db/sql.ts';
import { useFixture } from '../support/service/fixture.ts';
import { ofTest } from '../support/database/sent-statements.ts';
import { completion, expiry } from './support.ts';
import { importDecision } from '../../src/features/orders/decision-rules/imported.ts';

const fixture = useFixture();

describe('what is due is found by an index', () => {
  /** The plans of the statements of some work, where tables are not read as a whole if there is another way. */
  async function plansOf(work: (db: Queryable) => Promise<unknown>): Promise<string> {
    const plans: string[] = [];
    await fixture.sql.begin(async session => {
      await session.run(ofTest(raw('SET LOCAL enable_seqscan = off')));
      const explain: Queryable = {
        async rows(text) {
          const rows = await session.rows<Record<string, string>>(ofTest(statement`EXPLAIN ${text}`));
          plans.push(...rows.map(row => row['QUERY PLAN']!));
          return [];
        },
        run: () => Promise.reject(new Error('it reads rows')),
      };
      await work(explain);
    });
    return plans.join('\n');
  }

  const byState = /using employee_order_due on employee_order o/g;
  // In the order of their identifiers the orders of a tenant are found by another one.
  const byTenant = /using employee_order_(due|tenant_id) on employee_order o/g;
  for (const [job, index] of [
    [expiry, byState],
    [completion, byState],
    [importDecision, byTenant],
  ] as const)
    test(job.name, async () => {
      const plans = await plansOf(async db => {
        await job.inspect(db);
        await job.find(db, fixture.testData.organization, 10);
      });
      const found = plans.match(index);
      assert.equal(found?.length, 2, plans);
      assert.doesNotMatch(plans, /Filter:.*(submitted_at|endDate)/);
    });
});
