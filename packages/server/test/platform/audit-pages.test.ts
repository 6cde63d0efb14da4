import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditEntryFields } from '@kontor/contract';
import { checkList } from '../../src/query/check.ts';
import { pageOfRows, type RowReader, slicesOfRows } from '../../src/query/rows.ts';
import type { Fragment } from '../../src/db/sql.ts';
import { auditList, auditRows } from '../../src/features/audit/entries.ts';
import { planOf } from '../query/support.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform(async ({ sql, testData }) => {
  await sql`
    INSERT INTO audit (organization_id, at, target_id, action, actor, fields, id, actor_type, actor_name, folded_actor_name)
    SELECT ${testData.organization}, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second', lpad(to_hex(n), 24, '0'),
      'employee.update', 'operator', '{}', lpad(to_hex(n * 7919 % 1000003), 24, '0'), 'operator', 'operator', 'operator'
    FROM generate_series(1, 20000) AS n`;
  await sql`ANALYZE audit`;
});

/** The plan of the last statement that is read. */
async function planOfLast(run: (reader: RowReader) => Promise<unknown>): Promise<string> {
  const { sql } = fixture;
  const statements: Fragment[] = [];
  await run({
    rows<Found extends object>(statement: Fragment) {
      statements.push(statement);
      return sql.rows<Found>(statement);
    },
  });
  return planOf(sql, statements.at(-1)!);
}

const rows = () => auditRows(fixture.testData.organization);
const planOfPage = (query: Record<string, unknown>) =>
  planOfLast(reader => pageOfRows(auditList, rows(), { list: checkList(query, auditEntryFields) }, reader));

describe('a page of the audit is read along its index, however much there is', () => {
  test('sorted by createdAt', async () => {
    const plan = await planOfPage({ sort: 'createdAt', pageSize: 50 });
    assert.match(plan, /Limit\n\s+->\s+Index Scan using audit_page/);
  });

  test('sorted by -createdAt', async () => {
    const plan = await planOfPage({ sort: '-createdAt', pageSize: 50 });
    assert.match(plan, /Limit\n\s+->\s+Index Scan Backward using audit_page/);
  });

  test('of a time', async () => {
    const bounds = { createdAtFrom: '2026-01-01T01:00:00Z', createdAtTo: '2026-01-01T02:00:00Z' };
    const plan = await planOfPage({ sort: '-createdAt', ...bounds });
    assert.match(plan, /Index Scan Backward using audit_page.*\n\s+Index Cond: .*>=.*<=/);
  });

  test('a slice of an export', async () => {
    const plan = await planOfLast(async reader => {
      const list = checkList({ filter: "action = 'employee.update'" }, auditEntryFields);
      const slices = slicesOfRows(auditList, rows(), list, reader);
      await slices.next();
      await slices.next();
      await slices.return();
    });
    assert.match(plan, /Limit\n\s+->\s+Index Scan using audit_page.*\n\s+Index Cond: .*ROW\(/);
  });
});
