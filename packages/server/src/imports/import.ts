import type { Pool } from '../db/connect.ts';
import { inLongTransaction, type Session } from '../db/transaction.ts';
import { raw, sql } from '../db/sql.ts';
import { runAtClock } from '../write/run-at-clock.ts';
import { operator, type WriteAtClock } from '../write/writes.ts';
import type { RejectedRows, Rejection } from './rejected-rows.ts';
import { countUsable, readRejections } from './staging.ts';

export type ImportStep = 'read' | 'check' | 'insert' | 'settle';

/** The steps of an import. `Written` is the result of `insert`. */
export interface Importing<Written extends { readonly imported: number }> {
  readonly organizationId: string;
  /** The table. Its search index is named after it. */
  readonly table: string;
  readonly stage: (session: Session) => Promise<void>;
  readonly rejectUnusable: (session: Session) => Promise<void>;
  /** Inserts the valid rows. It skips rows that conflict with a write since the check. */
  readonly insert: (write: WriteAtClock, session: Session) => Promise<Written>;
  /** The rows that `insert` skipped. */
  readonly readOvertaken: (session: Session) => Promise<Rejection[]>;
  readonly onStep?: ((step: ImportStep) => void) | undefined;
}

/** `rejectedFile` is null when no row was rejected. */
export interface Rejected {
  readonly rejected: number;
  readonly rejectedFile: string | null;
}

/**
 * Imports the rows of a file. Valid rows are inserted in one transaction, which locks the organization last. Other rows are written to
 * the rejected file with line and reason. `written` is null when no row was valid.
 * @throws errors of the steps and of the database; then nothing was inserted, and there is no rejected file
 */
export async function importRows<Written extends { readonly imported: number }>(
  db: Pool,
  importing: Importing<Written>,
  rejected: RejectedRows,
): Promise<Rejected & { readonly written: Written | null }> {
  const written = await stageAndWrite(db, importing, rejected).catch(async (error: unknown) => {
    await rejected.discard();
    throw error;
  });
  await rejected.publish();
  importing.onStep?.('settle');
  if (written && written.imported > 0) await settle(db, importing.table);
  const { count, path } = rejected;
  return { written, rejected: count, rejectedFile: count > 0 ? path : null };
}

function stageAndWrite<Written extends { readonly imported: number }>(
  db: Pool,
  { organizationId, stage, rejectUnusable, insert, readOvertaken, onStep }: Importing<Written>,
  rejected: RejectedRows,
): Promise<Written | null> {
  return inLongTransaction(db, async session => {
    onStep?.('read');
    await stage(session);
    onStep?.('check');
    await rejectUnusable(session);
    const usable = await countUsable(session);
    for await (const rejections of readRejections(session)) await rejected.write(rejections);
    onStep?.('insert');
    let written: Written | null = null;
    if (usable > 0) {
      written = await runAtClock(session, organizationId, operator, write => insert(write, session));
      if (written.imported < usable) await rejected.write(await readOvertaken(session));
    }
    await rejected.complete();
    return written;
  });
}

/** Searches scan pending entries of the index one by one. Autovacuum does both steps later, so a failure here does not fail the import. */
async function settle(db: Pool, table: string): Promise<void> {
  try {
    await db.run(sql`SELECT gin_clean_pending_list(${`${table}_search`}::regclass)`);
    await db.run(sql`ANALYZE ${raw(table)}`);
  } catch {
    // Autovacuum will do it.
  }
}
