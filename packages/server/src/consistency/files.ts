import type { Queryable } from '../db/session.ts';
import { chunksInTime, FileCheck, type Files, openInTime } from '../files/download.ts';
import type { StoredFile } from '../files/file-store.ts';
import type { StoredRow } from './check-row.ts';
import type { Where } from './documents.ts';
import type { Finding } from './finding.ts';
import type { NamedFile, ResourceType } from './resource-types.ts';
import { type PlacedRow, rowsOf } from './rows.ts';

type Digests = Readonly<Record<string, string>>;

/**
 * Compares size and SHA-256 of the files that the rows reference. Nothing is repaired: missing or different bytes need a backup.
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
    const missing = new Set<string>();
    for (const file of named) {
      const problem = await findProblem(files, { organizationId: where.organizationId, ...file });
      if (problem === isMissing) missing.add(file.id);
      if (problem !== null && (await isStillNamed(where.db, type, { ...where, target: row.id }, file)))
        findings.push(lost(where, type, row.id, `file ${file.id}: ${problem}`));
    }
    findings.push(...checkDigests(where, type, row, named, missing));
  }
  return findings;
}

/** Returns the files of a row; null when its document cannot be read. */
export function namedBy(type: ResourceType, row: StoredRow): readonly NamedFile[] | null {
  try {
    return type.files(JSON.parse(row.doc) as Record<string, unknown>, digestsOf(row));
  } catch {
    return null;
  }
}

function digestsOf(row: StoredRow): Digests {
  return (row['attachment_sha256'] ?? {}) as Digests;
}

const isMissing = 'its bytes are missing';

async function findProblem({ store, timeout }: Files, file: StoredFile): Promise<string | null> {
  const stream = await openInTime(store, file, timeout);
  if (!stream) return isMissing;
  const check = new FileCheck(file);
  for await (const chunk of chunksInTime(stream, timeout)) check.add(chunk);
  return check.problem();
}

/** Whether the row still references the file. An erasure of personal data deletes files. */
export async function isStillNamed(
  db: Queryable,
  type: ResourceType,
  { organizationId, target }: { organizationId: string; target: string },
  { id }: { id: string },
): Promise<boolean> {
  const [found] = await rowsOf(db, organizationId, type, [target]);
  return found !== undefined && (namedBy(type, found.row) ?? []).some(file => file.id === id);
}

function checkDigests(
  where: Where,
  type: ResourceType,
  row: StoredRow,
  named: readonly NamedFile[],
  missing: ReadonlySet<string>,
): Finding[] {
  if (!type.hasDigests) return [];
  const isUnknown = named.some(({ id, sha256 }) => sha256 === null && !missing.has(id));
  if (isUnknown) return [lost(where, type, row.id, 'the SHA-256 of a file was not recorded')];
  const names = new Set(named.map(({ id }) => id));
  const isStray = Object.keys(digestsOf(row)).some(id => !names.has(id));
  return isStray ? [lost(where, type, row.id, 'it keeps the SHA-256 of a file that it does not name')] : [];
}

function lost({ organizationId }: Where, type: ResourceType, target: string, problem: string): Finding {
  return { check: 'files', organizationId, kind: type.name, target, problem, outcome: 'lost' };
}
