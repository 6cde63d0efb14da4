import type { Pool } from '../db/connect.ts';
import type { Queryable } from '../db/session.ts';
import { type Fragment, sql } from '../db/sql.ts';
import { inTransaction } from '../db/transaction.ts';
import { type FileKey, FileStoreTooSlow } from './file-store.ts';

/** Min age in seconds of a pending file that is swept: the bytes that a killed process has sent may still arrive. */
export const pendingAge = 30;

/**
 * Records in a statement of its own that a file will be stored outside of the database. The transaction of the session
 * removes the record, so that it is gone with the commit. Until the transaction ends no sweep takes the file.
 */
export async function announce(db: Pool, session: Queryable, { organizationId, id }: FileKey): Promise<void> {
  const record = sql`INSERT INTO file_pending (organization_id, file_id) VALUES (${organizationId}, ${id})`;
  // Not shared: the commit of statements that are sent together is not confirmed for each.
  await db.run(record, { shared: false });
  const count = await session.run(sql`
    DELETE FROM file_pending WHERE organization_id = ${organizationId} AND file_id = ${id}`);
  if (count === 0) throw new FileStoreTooSlow(`file ${id} was swept before it was stored`);
}

/** Returns the statement that has a stored file swept once its transaction is committed. */
export function announcingRemoval({ organizationId, id }: FileKey): Fragment {
  return sql`INSERT INTO file_pending (organization_id, file_id, at) VALUES (${organizationId}, ${id}, 'epoch')`;
}

/** Max files that are read at once. */
const max = 1000;

/**
 * Removes the files of writes that ended without a commit and began at least so many seconds ago. Returns how many. Several processes may sweep at once. Errors are those of `remove` and of the database.
 */
export async function sweepPending(
  db: Pool,
  remove: (file: FileKey) => Promise<void>,
  age: number,
): Promise<number> {
  let count = 0;
  for (;;) {
    const files = await pendingFiles(db, age);
    let swept = 0;
    for (const file of files) if (await sweepOne(db, file, remove)) swept++;
    count += swept;
    // The rest is held by writes. Only behind a full batch there may be more.
    if (files.length < max || swept === 0) return count;
  }
}

function pendingFiles(db: Pool, age: number): Promise<FileKey[]> {
  return db.rows<FileKey>(sql`
    SELECT organization_id AS "organizationId", file_id AS id FROM file_pending
    WHERE at <= clock_timestamp() - make_interval(secs => ${age})
    ORDER BY at LIMIT ${max}`);
}

/** Skips a row that a write holds. The row of a file that could not be removed stays for the next sweep. */
function sweepOne(db: Pool, file: FileKey, remove: (file: FileKey) => Promise<void>): Promise<boolean> {
  const ofFile = sql`FROM file_pending WHERE organization_id = ${file.organizationId} AND file_id = ${file.id}`;
  return inTransaction(db, async session => {
    const isFree = (await session.run(sql`SELECT ${ofFile} FOR UPDATE SKIP LOCKED`)) > 0;
    if (!isFree) return false;
    await remove(file);
    await session.run(sql`DELETE ${ofFile}`);
    return true;
  });
}
