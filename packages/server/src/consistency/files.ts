import { createHash } from 'node:crypto';
import type { Files } from '../files/download.ts';
import { FileStoreTooSlow, type StoredFile } from '../files/file-store.ts';
import { within } from '../files/within.ts';
import { raw, sql } from '../db/sql.ts';
import { inTurn, operator } from '../write/writes.ts';
import type { Where } from './documents.ts';
import type { Family, NamedFile } from './families.ts';
import type { Finding } from './finding.ts';
import type { StoredRow } from './judge.ts';
import { type PlacedRow, rowsOf } from './rows.ts';

type Digests = Readonly<Record<string, string>>;

/** What the bytes of a file turned out to be; null when there are none. */
type Read = { readonly size: number; readonly sha256: string } | null;

/**
 * Reads the files that the rows name, and compares size and SHA-256. Bytes that are missing or others than were stored cannot be
 * put right: they come back from a backup of the files. A SHA-256 that was never noted is, where the size is right, and
 * one of a file that the row does not name is dropped.
 * @throws FileStoreError, FileStoreTooSlow when the store does not work
 */
export async function checkFiles(
  where: Where,
  family: Family,
  rows: readonly PlacedRow[],
  files: Files,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { row } of rows) {
    const named = namedBy(family, row);
    if (!named) continue;
    const found = new Map<string, string>();
    for (const file of named) {
      const read = await readFile(files, { organizationId: where.organizationId, ...file });
      if (read) found.set(file.id, read.sha256);
      const problem = problemOf(file, read);
      if (problem !== null && (await isStillNamed(where, family, row.id, file.id)))
        findings.push(lost(where, family, row.id, `file ${file.id}: ${problem}`));
    }
    findings.push(...(await checkDigests(where, family, row, named, found)));
  }
  return findings;
}

/** Null for a row whose document cannot be read. */
function namedBy(family: Family, row: StoredRow): readonly NamedFile[] | null {
  try {
    return family.files(JSON.parse(row.doc) as Record<string, unknown>, digestsOf(row));
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
  family: Family,
  id: string,
  fileId: string,
): Promise<boolean> {
  const [found] = await rowsOf(db, organizationId, family, [id]);
  return found !== undefined && (namedBy(family, found.row) ?? []).some(file => file.id === fileId);
}

/** Checks that the row keeps the SHA-256 of each of its files and of no other. */
async function checkDigests(
  where: Where,
  family: Family,
  row: StoredRow,
  named: readonly NamedFile[],
  found: ReadonlyMap<string, string>,
): Promise<Finding[]> {
  if (!family.hasDigests) return [];
  const unknown = named.some(({ id, sha256 }) => sha256 === null && found.has(id));
  const names = new Set(named.map(({ id }) => id));
  const stray = Object.keys(digestsOf(row)).some(id => !names.has(id));
  if (!unknown && !stray) return [];
  if (where.repair) await noteDigests(where, family, row.id, found);
  const problem = unknown
    ? 'the SHA-256 of a file was not noted'
    : 'it keeps the SHA-256 of a file that it does not name';
  return [{ ...lost(where, family, row.id, problem), outcome: where.repair ? 'repaired' : 'repairable' }];
}

function noteDigests(
  { db, organizationId }: Where,
  family: Family,
  id: string,
  found: ReadonlyMap<string, string>,
): Promise<void> {
  return inTurn(db, organizationId, operator, async (turn, session) => {
    const [present] = await rowsOf(session, organizationId, family, [id]);
    const named = present && namedBy(family, present.row);
    if (!named) return;
    const known = named.map(file => [file.id, file.sha256 ?? found.get(file.id)]);
    const digests = JSON.stringify(Object.fromEntries(known));
    turn.write(sql`
      UPDATE ${raw(family.table)} SET attachment_sha256 = ${digests}::jsonb
      WHERE organization_id = ${organizationId} AND id = ${id}`);
    turn.audit({ id, action: `${family.name}.repair`, fields: ['attachments'] });
  });
}

function lost({ organizationId }: Where, family: Family, target: string, problem: string): Finding {
  return { check: 'files', organizationId, kind: family.name, target, problem, outcome: 'lost' };
}
