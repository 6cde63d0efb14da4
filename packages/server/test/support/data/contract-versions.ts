import { orderJobs } from '../../../src/features/orders/jobs.ts';
import { callOf, system, Writes } from '../../../src/write/writes.ts';
import type { Sql } from '../database/sql.ts';

/** The scheduled job that shows versions whose month has come. */
export const versionJob = orderJobs.find(({ name }) => name === 'contract_versions')!;

/** Moves a version from a later month to the present one, as if that month had come. */
export async function letMonthCome(sql: Sql, orderId: string, from: string): Promise<void> {
  const month = new Date().toISOString().slice(0, 7);
  await sql`UPDATE contract_version_due SET from_month = ${month} WHERE order_id = ${orderId}`;
  await sql`
    UPDATE employee_order SET contract_record = replace(contract_record::text, ${from}, ${month})::json
    WHERE id = ${orderId}`;
}

export async function showVersions(sql: Sql, organization: string): Promise<void> {
  const { writes } = sql.database;
  const ids = await versionJob.find(writes, organization, 100);
  if (ids.length > 0) await versionJob.carryOut(new Writes(writes), callOf(organization, system), ids);
}
