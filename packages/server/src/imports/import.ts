import type { Pool } from '../db/connect.ts';
import { inLongTransaction, type Session } from '../db/transaction.ts';
import { raw, sql } from '../db/sql.ts';
import { operator, type Write, writeOrdered } from '../write/writes.ts';
import type { RejectedRows, Rejection } from './rejected-rows.ts';
import { countUsable, readRejections } from './staging.ts';

export type ImportStep = 'read' | 'check' | 'insert' | 'settle';

/** The steps that bring rows of one kind from a file into their table. `Written` is the result of the last one. */
export interface Importing<Written extends { readonly imported: number }> {
  readonly organizationId: string;
  /** The table, whose search index is named after it. */
  readonly table: string;
  /** Reads the file into temporary tables. */
  readonly stage: (session: Session) => Promise<void>;
  /** Rejects the staged rows that cannot go in. */
  readonly rejectUnusable: (session: Session) => Promise<void>;
  /** Inserts the others; a write since they were checked may leave some out. */
  readonly insert: (write: Write, session: Session) => Promise<Written>;
  /** The rows that were left out. */
  readonly readOvertaken: (session: Session) => Promise<Rejection[]>;
  /** Called when a step begins. */
  readonly onStep?: ((step: ImportStep) => void) | undefined;
}

/** The number of rejected rows, and their file; null when there are none. */
export interface Rejected {
  readonly rejected: number;
  readonly rejectedFile: string | null;
}

/**
 * Imports the rows of a file. The valid rows are inserted in one transaction, which locks the organization last; the others go
 * into the rejected file with their line and the reason. `written` is null when no row was valid.
 * @throws the errors of the steps and of the database; then nothing was inserted, and there is no rejected file.
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
      written = await writeOrdered(session, organizationId, operator, write => insert(write, session));
      if (written.imported < usable) await rejected.write(await readOvertaken(session));
    }
    await rejected.complete();
    return written;
  });
}

/**
 * Merges the pending entries of the search index, which searches would read one by one, and updates the statistics of the
 * planner. Autovacuum does both later, so the import has succeeded even if this fails.
 */
async function settle(db: Pool, table: string): Promise<void> {
  try {
    await db.run(sql`SELECT gin_clean_pending_list(${`${table}_search`}::regclass)`);
    await db.run(sql`ANALYZE ${raw(table)}`);
  } catch {
    // Autovacuum will do it.
  }
}
