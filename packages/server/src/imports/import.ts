import type { Pool } from '../db/connect.ts';
import { inLongTransaction, type Session } from '../db/transaction.ts';
import { raw, sql } from '../db/sql.ts';
import { operator, type Turn, writeOrdered } from '../write/writes.ts';
import type { RejectedRows, Rejection } from './rejected-rows.ts';
import { countUsable, readRejections } from './staging.ts';

/** Where an import stands. */
export type ImportStep = 'read' | 'check' | 'insert' | 'settle';

/** How rows of one kind come from a file into their table. `Written` is what the last step tells. */
export interface Importing<Written extends { readonly imported: number }> {
  readonly organizationId: string;
  /** The table, whose search index is named after it. */
  readonly table: string;
  /** Reads the file into temporary tables. */
  readonly stage: (session: Session) => Promise<void>;
  /** Rejects the staged rows that cannot go in. */
  readonly rejectUnusable: (session: Session) => Promise<void>;
  /** Inserts the others in the turn of the organization; a write since they were checked may leave some out. */
  readonly insert: (turn: Turn, session: Session) => Promise<Written>;
  /** The rows that were left out. */
  readonly readOvertaken: (session: Session) => Promise<Rejection[]>;
  /** Told what the import is doing when that changes. */
  readonly onStep?: ((step: ImportStep) => void) | undefined;
}

/** What was rejected, and where that is; null when there is nothing. */
export interface Rejected {
  readonly rejected: number;
  readonly rejectedFile: string | null;
}

/**
 * Imports the rows of a file. The valid rows go in together in one transaction, which takes the organization clock last; the
 * others go into the rejected file with their line and the reason. Null when no row could go in.
 * @throws those of the steps and of the database; then nothing went in, and there is no rejected file.
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
      written = await writeOrdered(session, organizationId, operator, turn => insert(turn, session));
      if (written.imported < usable) await rejected.write(await readOvertaken(session));
    }
    await rejected.complete();
    return written;
  });
}

/**
 * Sorts what the import left unsorted in the search index, so that searches need not read it one by one, and gives the
 * planner the new numbers of rows. Both happen some time anyway, so the import has succeeded even if this fails.
 */
async function settle(db: Pool, table: string): Promise<void> {
  try {
    await db.run(sql`SELECT gin_clean_pending_list(${`${table}_search`}::regclass)`);
    await db.run(sql`ANALYZE ${raw(table)}`);
  } catch {
    // Autovacuum will do it.
  }
}
