import { createHash } from 'node:crypto';
import type { Files } from '../files/download.ts';
import { FileStoreTooSlow, type StoredFile } from '../files/file-store.ts';
import { within } from '../files/within.ts';
import type { Where } from './documents.ts';
import type { ResourceType, NamedFile } from './resource-types.ts';
import type { Finding } from './finding.ts';
import type { StoredRow } from './check-row.ts';
import { type PlacedRow, rowsOf } from './rows.ts';

type Digests = Readonly<Record<string, string>>;

/** What the bytes of a file turned out to be; null when there are none. */
type Read = { readonly size: number; readonly sha256: string } | null;

/**
 * Reads the files that the rows name, and compares size and SHA-256. Nothing is repaired: bytes that are
 * missing or differ come back from a backup of the files.
 * @throws FileStoreError, FileStoreTooSlow when the store does not work
 */
export async function checkFiles(
  where: Where,
  type: ResourceType,
  rows: readonly PlacedRow[],
  files: Files,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { row } of rows) {
    const named = namedBy(type, row);
    if (!named) continue;
    const found = new Set<string>();
    for (const file of named) {
      const read = await readFile(files, { organizationId: where.organizationId, ...file });
      if (read) found.add(file.id);
      const problem = problemOf(file, read);
      if (problem !== null && (await isStillNamed(where, type, row.id, file.id)))
        findings.push(lost(where, type, row.id, `file ${file.id}: ${problem}`));
    }
    findings.push(...checkDigests(where, type, row, named, found));
  }
  return findings;
}

/** Null for a row whose document cannot be read. */
function namedBy(type: ResourceType, row: StoredRow): readonly NamedFile[] | null {
  try {
    return type.files(JSON.parse(row.doc) as Record<string, unknown>, digestsOf(row));
  } catch {
    return null;
  }
}

function digestsOf(row: StoredRow): Digests {
  return (row['attachment_sha256'] ?? {}) as Digests;
}

async function readFile({ store, timeout }: Files, file: StoredFile): Promise<Read> {
  const inTime = <T>(work: Promise<T>) => within(timeout, work, () => tooSlow(file));
  const stream = await inTime(store.open(file));
  if (!stream) return null;
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  const hash = createHash('sha256');
  let size = 0;
  for (;;) {
    const { value, done } = await inTime(chunks.next());
    if (done) return { size, sha256: hash.digest('hex') };
    hash.update(value);
    size += value.length;
  }
}

function tooSlow({ id }: StoredFile): FileStoreTooSlow {
  return new FileStoreTooSlow(`the file store did not send file ${id} in time`);
}

function problemOf({ size, sha256 }: NamedFile, read: Read): string | null {
  if (!read) return 'its bytes are missing';
  if (read.size !== size) return `it has ${read.size} bytes where ${size} were stored`;
  if (sha256 !== null && read.sha256 !== sha256) return 'it has another SHA-256 than when it was stored';
  return null;
}

/** Files are never changed, but taken away with the person whose they are. */
async function isStillNamed(
  { db, organizationId }: Where,
  type: ResourceType,
  id: string,
  fileId: string,
): Promise<boolean> {
  const [found] = await rowsOf(db, organizationId, type, [id]);
  return found !== undefined && (namedBy(type, found.row) ?? []).some(file => file.id === fileId);
}

/** Checks that the row keeps the SHA-256 of each of its files and of no other. */
function checkDigests(
  where: Where,
  type: ResourceType,
  row: StoredRow,
  named: readonly NamedFile[],
  found: ReadonlySet<string>,
): Finding[] {
  if (!type.hasDigests) return [];
  const isUnknown = named.some(({ id, sha256 }) => sha256 === null && found.has(id));
  if (isUnknown) return [lost(where, type, row.id, 'the SHA-256 of a file was not recorded')];
  const names = new Set(named.map(({ id }) => id));
  const isStray = Object.keys(digestsOf(row)).some(id => !names.has(id));
  return isStray ? [lost(where, type, row.id, 'it keeps the SHA-256 of a file that it does not name')] : [];
}

function lost({ organizationId }: Where, type: ResourceType, target: string, problem: string): Finding {
  return { check: 'files', organizationId, kind: type.name, target, problem, outcome: 'lost' };
}
