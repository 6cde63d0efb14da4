import { Readable } from 'node:stream';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import type { FileKey, FileStore, StoredFile } from './file-store.ts';

/** A read keeps one slice in memory. */
const sliceSize = 64 * 1024;

/** Files in the table `file_slice`, covered by the database's backups and transactions. */
export function databaseStore(db: Queryable): FileStore {
  return {
    async put(session, { organizationId, id, bytes }) {
      let number = 0;
      for await (const slice of slicesIn(bytes))
        await session.run(sql`
          INSERT INTO file_slice (organization_id, file_id, number, bytes)
          VALUES (${organizationId}, ${id}, ${number++}, ${slice})`);
    },
    async open(file) {
      const slices = slicesOf(db, file);
      const first = await slices.next();
      if (first.done === true) return null;
      return Readable.from(prepend(first.value, slices), { objectMode: false, highWaterMark: sliceSize });
    },
    list: organizationId => filesOf(db, organizationId),
    // The rollback has removed the slices.
    async discard() {},
    removing: files =>
      files.map(
        ({ organizationId, id }) => sql`
          DELETE FROM file_slice WHERE organization_id = ${organizationId} AND file_id = ${id}`,
      ),
  };
}

/** An empty file also has one slice, to distinguish it from a missing file. */
function sliceCount(size: number): number {
  return Math.max(1, Math.ceil(size / sliceSize));
}

/** Cuts bytes into slices. Only the last one may be shorter. */
async function* slicesIn(bytes: Buffer | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let isEmpty = true;
  for await (const chunk of Buffer.isBuffer(bytes) ? [bytes] : bytes) {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length > sliceSize; rest = rest.subarray(sliceSize)) {
      yield rest.subarray(0, sliceSize);
      isEmpty = false;
    }
  }
  if (rest.length > 0 || isEmpty) yield rest;
}

/**
 * Reads each slice with a short statement, so a slow client holds no connection. Returns false at a missing slice, which ends the file early. The
 * consumer checks the size.
 */
export async function* slicesOf(db: Queryable, file: StoredFile): AsyncGenerator<Buffer, boolean> {
  for (let number = 0; number < sliceCount(file.size); number++) {
    const slice = await readSlice(db, file, number);
    if (slice === null) return false;
    yield slice;
  }
  return true;
}

async function* prepend(first: Buffer, rest: AsyncGenerator<Buffer, boolean>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** Files of one statement, which reads none of their bytes. */
const listedAtOnce = 1000;

async function* filesOf(
  db: Queryable,
  organizationId: string,
): AsyncGenerator<Pick<StoredFile, 'id' | 'size'>> {
  for (let last = ''; ;) {
    const files = await db.rows<Pick<StoredFile, 'id' | 'size'>>(sql`
      SELECT file_id AS id, sum(length(bytes))::float8 AS size FROM file_slice
      WHERE organization_id = ${organizationId} AND file_id > ${last}
      GROUP BY file_id ORDER BY file_id LIMIT ${listedAtOnce}::int`);
    yield* files;
    if (files.length < listedAtOnce) return;
    last = files.at(-1)!.id;
  }
}

async function readSlice(
  db: Queryable,
  { organizationId, id }: FileKey,
  number: number,
): Promise<Buffer | null> {
  const [row] = await db.rows<{ bytes: Buffer }>(sql`
    SELECT bytes FROM file_slice
    WHERE organization_id = ${organizationId} AND file_id = ${id} AND number = ${number}`);
  return row?.bytes ?? null;
}
