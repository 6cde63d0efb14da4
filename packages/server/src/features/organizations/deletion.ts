import { setTimeout as delay } from 'node:timers/promises';
import { noOrganization } from '../../auth/caller.ts';
import type { Database, Pool } from '../../db/connect.ts';
import { withProcessLock } from '../../db/process-lock.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { FileStore } from '../../files/file-store.ts';
import { throttle } from '../../lib/concurrency/interval.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { writeAsOperator } from '../../write/writes.ts';
import { beginDeletion } from './closing.ts';
import { countRows, deletionStatement, type OwnedTable, readOwnedTables } from './owned-tables.ts';

/** Rows of one transaction. Files in the database have up to 64 kB a row. */
const batchSize = 1000;

/** Milliseconds between two checks that this process is the only one that deletes. */
const checkInterval = 10_000;

export interface Deletion {
  readonly database: Pick<Database, 'target'>;
  readonly db: Pool;
  readonly files: FileStore;
  /** Called with the rows that there are, and with each batch of them. */
  readonly begin: (rows: number) => void;
  readonly advance: (rows: number) => void;
}

/** The rows by table, and the files outside of the database, that this run deleted. */
export interface Deleted {
  readonly rows: Readonly<Record<string, number>>;
  readonly files: number;
}

/**
 * Deletes all rows and files of a closed organization, and the organization last. It may be killed anywhere: the next run continues. Each batch
 * is followed by a pause as long as itself, since other organizations use the same database.
 * @throws OperatorError when the organization may not be deleted yet, when the database role may not delete, or another process does it
 */
export async function deleteOrganization(deletion: Deletion, id: string): Promise<Deleted> {
  const { db, database } = deletion;
  const tables = await readOwnedTables(db);
  await checkMayDelete(db, tables);
  await beginDeletion(db, id);
  let deleted: Deleted | undefined;
  await withProcessLock(database.target, `deletion of organization ${id}`, async checkLock => {
    deleted = await deleteAll(deletion, { id, tables, checkLock });
  });
  if (deleted === undefined) throw new OperatorError(`another process is deleting organization ${id}`);
  return deleted;
}

/** The role of a service may not remove entries of the audit (docs/running.md). */
async function checkMayDelete(db: Queryable, tables: readonly OwnedTable[]): Promise<void> {
  const names = [...tables.map(({ name }) => name), 'organization'];
  const [denied] = await db.rows<{ name: string }>(sql`
    SELECT name FROM unnest(${names}::text[]) AS t (name) WHERE NOT has_table_privilege(quote_ident(name), 'DELETE')`);
  if (denied)
    throw new OperatorError(
      `the role of DATABASE_URL may not delete rows of ${denied.name}: use the owner of the tables (docs/day-two.md)`,
    );
}

interface Running {
  readonly id: string;
  readonly tables: readonly OwnedTable[];
  readonly checkLock: () => Promise<void>;
}

async function deleteAll(deletion: Deletion, running: Running): Promise<Deleted> {
  const { db, files, begin } = deletion;
  const { id, tables } = running;
  begin(await countAllRows(db, tables, id));
  const stillSingle = throttle(running.checkLock, checkInterval);
  const rows: Record<string, number> = {};
  for (const table of tables) {
    const n = await deleteRows(deletion, table, id, stillSingle);
    if (n > 0) rows[table.name] = n;
  }
  let fileCount = 0;
  for await (const file of files.list(id)) {
    await stillSingle();
    await files.discard({ organizationId: id, id: file.id });
    fileCount++;
  }
  if ((await countAllRows(db, tables, id)) > 0)
    throw new OperatorError(
      `rows of organization ${id} were added during the deletion: run the command again`,
    );
  await writeAsOperator(db, noOrganization, write => {
    write.send(sql`DELETE FROM organization WHERE id = ${id}`);
    write.audit({ id, action: 'organization.delete' });
  });
  return { rows, files: fileCount };
}

async function countAllRows(db: Queryable, tables: readonly OwnedTable[], id: string): Promise<number> {
  let sum = 0;
  for (const table of tables) sum += await countRows(db, table, id);
  return sum;
}

async function deleteRows(
  { db, advance }: Deletion,
  table: OwnedTable,
  id: string,
  stillSingle: () => Promise<void>,
): Promise<number> {
  let sum = 0;
  for (;;) {
    await stillSingle();
    const began = performance.now();
    const n = await inTransaction(db, session => session.run(deletionStatement(table, id, batchSize)));
    if (n === 0) return sum;
    sum += n;
    advance(n);
    await delay(performance.now() - began);
  }
}
