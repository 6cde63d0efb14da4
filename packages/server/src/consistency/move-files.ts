import { createHash } from 'node:crypto';
import type { Pool } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import { inTransaction, RollBack } from '../db/transaction.ts';
import { databaseStore } from '../files/database-store.ts';
import { chunksInTime, FileCheck, openInTime } from '../files/download.ts';
import type { StoredFile } from '../files/file-store.ts';
import { announceCopy, claimRemoval } from '../files/pending.ts';
import type { Destination } from '../files/place.ts';
import type { S3Files } from '../files/s3-store.ts';
import { isStillNamed, namedBy } from './files.ts';
import { type ResourceType, resourceTypes } from './resource-types.ts';
import { slicesOf } from './rows.ts';

export interface Move {
  readonly db: Pool;
  readonly s3: S3Files;
  /** Milliseconds that S3 may take to answer or to continue. */
  readonly timeout: number;
  readonly to: Destination;
}

/** A file that stays where it is, or a row whose files are not known. A `lost` one is nowhere, so nothing is left to move. */
export interface Unmoved {
  readonly organizationId: string;
  readonly kind: string;
  readonly target: string;
  readonly file: string | null;
  readonly problem: string;
  readonly lost: boolean;
}

/** `skipped` files are being stored or removed; the next pass finds out. */
export interface Pass {
  moved: number;
  skipped: number;
  readonly unmoved: Unmoved[];
}

/** The bytes of a file are not those that were stored. */
class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

type Outcome = 'moved' | 'skipped' | 'missing';

/**
 * Moves the files of an organization that are not yet in the new place, one transaction each. Its end removes the source, or announces the removal.
 * @throws errors of the database, FileStoreError, FileStoreTooSlow
 */
export async function moveFiles(
  move: Move,
  organizationId: string,
  pass: Pass,
  advance: (rows: number) => Promise<void>,
): Promise<void> {
  for (const type of resourceTypes)
    for await (const rows of slicesOf(move.db, organizationId, type)) {
      const named: Named[] = [];
      for (const { row } of rows) {
        const files = namedBy(type, row);
        const at = { organizationId, kind: type.name, target: row.id };
        if (files === null)
          pass.unmoved.push({ ...at, file: null, problem: 'its document cannot be read', lost: false });
        else named.push(...files.map(file => ({ at, type, file: { organizationId, ...file } })));
      }
      const inDatabase = await findInDatabase(move.db, organizationId, named);
      for (const one of named) {
        if (inDatabase.has(one.file.id) === (move.to === 'database')) continue;
        await moveNamed(move, one, pass);
        await advance(0);
      }
      await advance(rows.length);
    }
}

interface Named {
  readonly at: Pick<Unmoved, 'organizationId' | 'kind' | 'target'>;
  readonly type: ResourceType;
  readonly file: StoredFile;
}

async function findInDatabase(
  db: Pool,
  organizationId: string,
  named: readonly Named[],
): Promise<Set<string>> {
  const ids = named.map(({ file }) => file.id);
  if (ids.length === 0) return new Set();
  const found = await db.rows<{ id: string }>(sql`
    SELECT file_id AS id FROM file_slice
    WHERE organization_id = ${organizationId} AND file_id = ANY(${ids}::text[]) AND number = 0`);
  return new Set(found.map(({ id }) => id));
}

async function moveNamed(move: Move, named: Named, pass: Pass): Promise<void> {
  const { at, file } = named;
  try {
    const outcome = await (move.to === 'store' ? moveToStore(move, file) : moveToDatabase(move, named));
    if (outcome === 'missing')
      pass.unmoved.push({
        ...at,
        file: file.id,
        problem: 'its bytes are missing in both places',
        lost: true,
      });
    else pass[outcome]++;
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    pass.unmoved.push({ ...at, file: file.id, problem: error.message, lost: false });
  }
}

/** The record of the copy is held: an erasure waits, and then announces that the object goes. */
function moveToStore({ db, s3, timeout }: Move, file: StoredFile): Promise<Outcome> {
  return inTransaction(db, async session => {
    if (!(await announceCopy(db, session, file))) return 'skipped';
    const database = databaseStore(session);
    const source = await database.open(file);
    if (source === null) throw new RollBack<Outcome>('skipped');
    const hash = createHash('sha256');
    await s3.upload(
      file,
      checked(source as AsyncIterable<Buffer>, file, chunk => hash.update(chunk)),
    );
    const copy = await openInTime(s3.store, file, timeout);
    const check = new FileCheck({ size: file.size, sha256: hash.digest('hex') });
    if (copy !== null) for await (const chunk of chunksInTime(copy, timeout)) check.add(chunk);
    const problem = check.problem();
    if (problem !== null) throw new DamagedFile(`its copy in the store is wrong: ${problem}`);
    for (const removal of database.removing([file])) await session.run(removal);
    return 'moved';
  });
}

/** The announced removal is held: an erasure waits, and then removes the slices. A sweep removes the object after the commit. */
function moveToDatabase({ db, s3, timeout }: Move, { type, at, file }: Named): Promise<Outcome> {
  return inTransaction(db, async session => {
    if (!(await claimRemoval(session, file))) return 'skipped';
    if (!(await isStillNamed(session, type, at, file))) throw new RollBack<Outcome>('skipped');
    const source = await openInTime(s3.store, file, timeout);
    if (source === null) throw new RollBack<Outcome>('missing');
    const bytes = checked(chunksInTime(source, timeout), file);
    await databaseStore(session).put(session, { ...file, bytes });
    return 'moved';
  });
}

/** Yields the bytes of a file. @throws DamagedFile at the end of one that is not as it was stored */
async function* checked(
  source: AsyncIterable<Buffer>,
  file: StoredFile,
  add: (chunk: Buffer) => void = () => {},
): AsyncGenerator<Buffer> {
  const check = new FileCheck(file);
  for await (const chunk of source) {
    if (!check.add(chunk)) break;
    add(chunk);
    yield chunk;
  }
  const problem = check.problem();
  if (problem !== null) throw new DamagedFile(problem);
}
