import type { Pool } from '../db/connect.ts';
import type { Queryable } from '../db/session.ts';
import { type Fragment, sql } from '../db/sql.ts';
import { inTransaction } from '../db/transaction.ts';
import { type FileKey, FileStoreTooSlow } from './file-store.ts';

/** Min age in seconds before a pending file is swept: bytes sent by a killed process may still arrive. */
export const pendingAge = 30;

/** Commits a record of the file before it is stored. The session's transaction deletes and so locks the record; sweeps skip it until the end. */
export async function announce(db: Pool, session: Queryable, { organizationId, id }: FileKey): Promise<void> {
  const record = sql`INSERT INTO file_pending (organization_id, file_id) VALUES (${organizationId}, ${id})`;
  // Not batched: a batch does not confirm the commit of each statement.
  await db.run(record, { shared: false });
  const count = await session.run(sql`
    DELETE FROM file_pending WHERE organization_id = ${organizationId} AND file_id = ${id}`);
  if (count === 0) throw new FileStoreTooSlow(`file ${id} was swept before it was stored`);
}

/** A sweep removes the stored file after this statement is committed. */
export function announcingRemoval({ organizationId, id }: FileKey): Fragment {
  return sql`
    INSERT INTO file_pending (organization_id, file_id, at) VALUES (${organizationId}, ${id}, 'epoch')
    ON CONFLICT (organization_id, file_id) DO UPDATE SET at = 'epoch'`;
}

/**
 * Announces the copy of a file like {@link announce}, for a move. The session holds the record until its end, and a removal of the file waits for it.
 * Returns false for a file that is being removed.
 */
export async function announceCopy(
  db: Pool,
  session: Queryable,
  { organizationId, id }: FileKey,
): Promise<boolean> {
  // A record that is there is that of an aborted copy.
  const record = sql`
    INSERT INTO file_pending AS p (organization_id, file_id) VALUES (${organizationId}, ${id})
    ON CONFLICT (organization_id, file_id) DO UPDATE SET at = EXCLUDED.at WHERE p.at > 'epoch'`;
  await db.run(record, { shared: false });
  const count = await session.run(sql`
    DELETE FROM file_pending WHERE organization_id = ${organizationId} AND file_id = ${id} AND at > 'epoch'`);
  return count > 0;
}

/** The session announces the removal of a file from the store, for a move. Returns false for a file that is being stored or removed. */
export async function claimRemoval(session: Queryable, { organizationId, id }: FileKey): Promise<boolean> {
  const count = await session.run(sql`
    INSERT INTO file_pending (organization_id, file_id, at) VALUES (${organizationId}, ${id}, 'epoch')
    ON CONFLICT (organization_id, file_id) DO NOTHING`);
  return count > 0;
}

const max = 1000;

/** Removes uncommitted files of at least `age` seconds, and returns their number. @throws errors of `remove` and of the database */
export async function sweepPending(
  db: Pool,
  remove: (file: FileKey) => Promise<void>,
  age: number,
): Promise<number> {
  let count = 0;
  for (;;) {
    const files = await findPendingFiles(db, age);
    let swept = 0;
    for (const file of files) if (await sweepOne(db, file, remove)) swept++;
    count += swept;
    // The remaining rows are locked by writes. More rows can only follow a full batch.
    if (files.length < max || swept === 0) return count;
  }
}

function findPendingFiles(db: Pool, age: number): Promise<FileKey[]> {
  return db.rows<FileKey>(sql`
    SELECT organization_id AS "organizationId", file_id AS id FROM file_pending
    WHERE at <= clock_timestamp() - make_interval(secs => ${age})
    ORDER BY at LIMIT ${max}`);
}

/** Skips a row that a write has locked. When `remove` fails, the row stays for the next sweep. */
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
