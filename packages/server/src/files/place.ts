import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import { OperatorError } from '../lib/operator-error.ts';

/** Where files are moved to. `store` is the S3-compatible store of `FILES_URL`. */
export const destinations = ['database', 'store'] as const;
export type Destination = (typeof destinations)[number];

/** Where the files of a database are, apart from the database itself: null. */
type Place = 'store' | 'to store' | 'to database' | null;

const setting = 'files';

async function readPlace(db: Queryable): Promise<Place> {
  const [row] = await db.rows<{ value: Place }>(sql`SELECT value FROM setting WHERE name = ${setting}`);
  return row?.value ?? null;
}

/** Whether files of this database may be in a store, so that the database alone cannot tell that one is missing. */
export async function usesStore(db: Queryable): Promise<boolean> {
  return (await readPlace(db)) !== null;
}

/** Whether a new file belongs in the store. The lock lets a move begin after the transaction of the write. */
export async function belongsInStore(session: Queryable): Promise<boolean> {
  const [row] = await session.rows<{ value: Place }>(sql`
    SELECT value FROM setting WHERE name = ${setting} FOR SHARE`);
  return row !== undefined && row.value !== 'to database';
}

/** Checks `FILES_URL` against the place of the files. Records the store if it is the first place. @throws OperatorError */
export async function checkPlace(db: Queryable, hasStore: boolean): Promise<void> {
  const place = await readPlace(db);
  if (!hasStore && place !== null)
    throw new OperatorError(
      'files of this database are in a file store: set FILES_URL to it, or move them with "kontor files move --to database"',
    );
  if (!hasStore || place !== null) return;
  if (await hasFiles(db))
    throw new OperatorError(
      'FILES_URL is set, but the files are in the database: unset it, or move them first with "kontor files move --to store"',
    );
  await db.run(
    sql`INSERT INTO setting (name, value) VALUES (${setting}, 'store') ON CONFLICT (name) DO NOTHING`,
  );
}

async function hasFiles(db: Queryable): Promise<boolean> {
  return (await db.rows(sql`SELECT 1 FROM file_slice LIMIT 1`)).length > 0;
}

/** From then on new files go to the new place. Waits for writes whose files go to the other one. */
export async function beginMove(db: Queryable, to: Destination): Promise<void> {
  await db.run(sql`
    INSERT INTO setting (name, value) VALUES (${setting}, ${`to ${to}`})
    ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`);
}

/** Records that all files are in the new place, unless another move has begun. */
export async function endMove(db: Queryable, to: Destination): Promise<void> {
  const ofMove = sql`name = ${setting} AND value = ${`to ${to}`}`;
  await db.run(
    to === 'store'
      ? sql`UPDATE setting SET value = 'store' WHERE ${ofMove}`
      : sql`DELETE FROM setting WHERE ${ofMove}`,
  );
}
