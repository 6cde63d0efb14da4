import type { Pool } from '../db/connect.ts';
import type { Queryable } from '../db/session.ts';
import { type Fragment, sql } from '../db/sql.ts';
import { inTransaction } from '../db/transaction.ts';
import { type FileKey, FileStoreTooSlow } from './file-store.ts';

/** How old a pending file is at least when it is swept, in seconds: what a killed process has sent may still arrive. */
export const pendingAge = 30;

/**
 * Notes, at once, that a file is about to be stored outside of the database, and that it belongs to the transaction of the
 * session: the note goes with its commit. Until the transaction ends no sweep takes the file.
 */
export async function announce(db: Pool, session: Queryable, { organizationId, id }: FileKey): Promise<void> {
  const note = sql`INSERT INTO file_pending (organization_id, file_id) VALUES (${organizationId}, ${id})`;
  // By itself: of what is sent together nobody asks whether its commit was confirmed.
  await db.run(note, { shared: false });
  const count = await session.run(sql`
    DELETE FROM file_pending WHERE organization_id = ${organizationId} AND file_id = ${id}`);
  if (count === 0) throw new FileStoreTooSlow(`file ${id} was swept before it was stored`);
}

/** What notes that a stored file is to be swept as soon as the transaction of the note is committed. */
export function announcingRemoval({ organizationId, id }: FileKey): Fragment {
  return sql`INSERT INTO file_pending (organization_id, file_id, at) VALUES (${organizationId}, ${id}, 'epoch')`;
}

/** Most files of one look. */
const max = 1000;

/**
 * Removes the files of writes that have ended without a commit, whether refused or killed, and were begun at least so many
 * seconds ago. Returns how many. Several processes may sweep at once. Errors are those of `remove` and of the database.
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
    // Those that are left are held by writes, but for a full look, behind which there may be more.
    if (files.length < max || swept === 0) return count;
  }
}

function pendingFiles(db: Pool, age: number): Promise<FileKey[]> {
  return db.rows<FileKey>(sql`
    SELECT organization_id AS "organizationId", file_id AS id FROM file_pending
    WHERE at <= clock_timestamp() - make_interval(secs => ${age})
    ORDER BY at LIMIT ${max}`);
}

/** A row that a write holds is passed over; the row of a file that could not be removed stays for the next sweep. */
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
