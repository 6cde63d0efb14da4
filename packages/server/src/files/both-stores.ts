import { Readable } from 'node:stream';
import type { Queryable } from '../db/session.ts';
import { databaseStore, slicesOf } from './database-store.ts';
import { type FileStore, FileStoreError } from './file-store.ts';
import { belongsInStore, usesStore } from './place.ts';

/** The files of a process without a store. It cannot know whether a file is missing that may have been moved. */
export function databaseOnly(db: Queryable): FileStore {
  const database = databaseStore(db);
  return {
    ...database,
    async open(file) {
      const found = await database.open(file);
      if (found === null && (await usesStore(db)))
        throw new FileStoreError(`file ${file.id} is not in the database, and FILES_URL is not set`);
      return found;
    },
    async *list(organizationId) {
      if (await usesStore(db))
        throw new FileStoreError('files may be in the store, and FILES_URL is not set');
      yield* database.list(organizationId);
    },
  };
}

/** The files of a process with a store, which a move copies from one place into the other meanwhile. */
export function bothStores(db: Queryable, store: FileStore): FileStore {
  const database = databaseStore(db);
  return {
    put: async (session, file) => ((await belongsInStore(session)) ? store : database).put(session, file),
    async open(file) {
      const slices = slicesOf(db, file);
      const first = await slices.next();
      if (first.done !== true) {
        // A move into the store may remove the slices while a slow client reads them.
        const chunks = continued(first.value, slices, async () => store.open(file));
        return Readable.from(chunks, { objectMode: false });
      }
      // A move into the database may have ended between the two reads.
      return (await store.open(file)) ?? (await database.open(file));
    },
    discard: file => store.discard(file),
    async *list(organizationId) {
      // The place that files leave comes first: a file that is moved meanwhile is in the second one.
      const places = (await belongsInStore(db)) ? [database, store] : [store, database];
      const listed = new Set<string>();
      for (const place of places)
        for await (const file of place.list(organizationId)) {
          if (!listed.has(file.id)) yield file;
          listed.add(file.id);
        }
    },
    // The row of the store comes first: a move of the same file holds it.
    removing: files => files.flatMap(file => [...store.removing([file]), ...database.removing([file])]),
  };
}

/** Yields the slices, and what follows them in the other place. */
async function* continued(
  first: Buffer,
  slices: AsyncGenerator<Buffer, boolean>,
  openRest: () => Promise<Readable | null>,
): AsyncGenerator<Buffer> {
  yield first;
  let size = first.length;
  for (;;) {
    const { done, value } = await slices.next();
    if (done === true) {
      if (value) return;
      break;
    }
    yield value;
    size += value.length;
  }
  for await (const chunk of (await openRest()) ?? []) {
    const bytes = chunk as Buffer;
    if (size < bytes.length) yield bytes.subarray(size);
    size = Math.max(0, size - bytes.length);
  }
}
