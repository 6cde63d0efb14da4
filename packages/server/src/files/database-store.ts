import { Readable } from 'node:stream';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import type { FileKey, FileStore, StoredFile } from './file-store.ts';

/** Bytes of a slice: so much of a file is in memory while it is read. */
const sliceSize = 64 * 1024;

/** Files in the table `file_slice`: backed up, moved and rolled back with everything else. */
export function databaseStore(db: Queryable): FileStore {
  return {
    async put(session, { organizationId, id, bytes }) {
      for (let number = 0; number < sliceCount(bytes.length); number++) {
        const slice = bytes.subarray(number * sliceSize, (number + 1) * sliceSize);
        await session.run(sql`
          INSERT INTO file_slice (organization_id, file_id, number, bytes)
          VALUES (${organizationId}, ${id}, ${number}, ${slice})`);
      }
    },
    async open(file) {
      const first = await readSlice(db, file, 0);
      return (
        first && Readable.from(slicesOf(db, file, first), { objectMode: false, highWaterMark: sliceSize })
      );
    },
    // The transaction that failed has rolled the slices back.
    async discard() {},
    removing: files =>
      files.map(
        ({ organizationId, id }) => sql`
          DELETE FROM file_slice WHERE organization_id = ${organizationId} AND file_id = ${id}`,
      ),
  };
}

/** An empty file has a slice too, so that it differs from a missing one. */
function sliceCount(size: number): number {
  return Math.max(1, Math.ceil(size / sliceSize));
}

/** Reads the slices one by one, a short statement each, so that a slow reader keeps no connection. */
async function* slicesOf(db: Queryable, file: StoredFile, first: Buffer): AsyncGenerator<Buffer> {
  yield first;
  for (let number = 1; number < sliceCount(file.size); number++) {
    const slice = await readSlice(db, file, number);
    // A missing slice ends the stream early: its reader checks the size.
    if (slice === null) return;
    yield slice;
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
