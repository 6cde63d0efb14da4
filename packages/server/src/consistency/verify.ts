import type { Pool } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import type { Files } from '../files/download.ts';
import { checkAncestors } from './ancestors.ts';
import { checkCounters } from './counters.ts';
import { checkRows, type Where } from './documents.ts';
import { resourceTypes } from './resource-types.ts';
import { checkFiles } from './files.ts';
import type { Check, Finding } from './finding.ts';
import { checkPayroll } from './payroll.ts';
import { slicesOf } from './rows.ts';

export interface Verification {
  readonly db: Pool;
  readonly organizationId: string;
  readonly checks: ReadonlySet<Check>;
  readonly repair: boolean;
  /** The file store; null when files are not checked. */
  readonly files: Files | null;
  /** Called with numbers of completed rows. */
  readonly advance: (rows: number) => void;
}

/** Estimates the number of rows from the counters, which may be wrong. */
export async function countRowsToVerify(db: Pool, organizationId: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(sql`
    SELECT coalesce(sum(n), 0)::float8 AS n FROM counter WHERE organization_id = ${organizationId} AND scope = ''`);
  return row!.n;
}

/**
 * Checks the data of an organization and yields problems as they are found. It reads in slices without locks; a repair writes a few rows at
 * a time. Counters come last, after the rows that they count.
 * @throws errors of the database, and of a file store that does not work
 */
export async function* verify(verification: Verification): AsyncGenerator<Finding> {
  const { db, organizationId, repair, checks } = verification;
  const where = { db, organizationId, repair };
  if (checks.has('documents') || checks.has('files')) yield* verifyRows(verification, where);
  if (checks.has('ancestors')) yield* await checkAncestors(where);
  if (checks.has('payroll')) yield* await checkPayroll(where);
  if (checks.has('counters')) yield* await checkCounters(where);
}

async function* verifyRows(verification: Verification, where: Where): AsyncGenerator<Finding> {
  const { checks, files, advance } = verification;
  for (const type of resourceTypes)
    for await (const rows of slicesOf(where.db, where.organizationId, type)) {
      if (checks.has('documents')) yield* await checkRows(where, type, rows);
      if (files) yield* await checkFiles(where, type, rows, files);
      advance(rows.length);
    }
}
