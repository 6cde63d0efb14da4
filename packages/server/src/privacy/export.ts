import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { ApiError } from '@kontor/contract';
import { makeZip } from 'client-zip';
import type { Pool } from '../db/connect.ts';
import { longDeadline, inTransaction } from '../db/transaction.ts';
import { sql } from '../db/sql.ts';
import { chunksInTime, FileCheck, type Files, openInTime } from '../files/download.ts';
import { type Author, writeUnordered } from '../write/writes.ts';
import type { Whose } from './erase.ts';
import { type ExportedFile, indexPage } from './index-page.ts';
import { attachmentsOf, readStoredRows, type StoredAttachment, type StoredRows } from './stored-rows.ts';

/** All that is stored about a person, as a ZIP. */
export interface PersonExport {
  readonly rows: StoredRows;
  /** Bytes of the files. */
  readonly fileBytes: number;
  /** The ZIP, made while it is read; `advance` is told of bytes of files. */
  readonly zip: Readable;
  /** What became of the files; complete when the ZIP is. */
  readonly files: readonly ExportedFile[];
}

interface Entry {
  readonly name: string;
  readonly input: string | AsyncIterable<Uint8Array>;
}

/** What an export is made on; a command has one pool for both. */
export interface ExportParts {
  readonly reads: Pool;
  readonly writes: Pool;
  readonly files: Files;
}

/** How an export is made. */
export interface ExportHow {
  readonly author: Author;
  readonly now: Date;
  /** Told of bytes of files. */
  readonly advance: (bytes: number) => void;
  /** Whether the rows may take as long as they take; else as long as a statement of the pool may. */
  readonly unhurried: boolean;
}

/**
 * Exports what is stored about a person (GDPR Art. 15 and 20): rows of one instant as JSON, files, and a page that says in plain
 * words what there is. That it was done is in the audit, and so in the export. In memory are the rows and a piece of a file.
 * @throws ApiError NOT_FOUND; of the ZIP those of the file store
 */
export async function exportPerson(
  { reads, writes, files: from }: ExportParts,
  whose: Whose,
  { author, now, advance, unhurried }: ExportHow,
): Promise<PersonExport> {
  const { organizationId, employeeId } = whose;
  const found = await reads.run(sql`
    SELECT FROM employee WHERE organization_id = ${organizationId} AND id = ${employeeId}`);
  if (found === 0) throw new ApiError('NOT_FOUND', `There is no employee ${employeeId}`);
  await writeUnordered(writes, organizationId, author, turn =>
    turn.audit({ id: employeeId, action: 'employee.export' }),
  );
  const rows = await readAtOneInstant(reads, whose, unhurried);
  const files: ExportedFile[] = [];
  const source = { from, organizationId, advance };
  const stream = makeZip(withDates(entriesOf(rows, files, source, now), now));
  return {
    rows,
    fileBytes: attachmentsOf(rows).reduce((sum, { size }) => sum + size, 0),
    zip: Readable.fromWeb(stream as ReadableStream),
    files,
  };
}

async function readAtOneInstant(
  db: Pool,
  { organizationId, employeeId }: Whose,
  unhurried: boolean,
): Promise<StoredRows> {
  const rows = await inTransaction(
    db,
    async session => {
      await session.run(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
      if (unhurried) await session.run(sql`SELECT set_config('statement_timeout', '0', true)`);
      return readStoredRows(session, organizationId, employeeId);
    },
    { ...(unhurried && { deadline: longDeadline }), prepare: false },
  );
  return rows!;
}

interface Source {
  readonly from: Files;
  readonly organizationId: string;
  readonly advance: (bytes: number) => void;
}

/** Files come first: so a store that fails shows before anything is sent. The page comes last, since it says which there were. */
async function* entriesOf(
  rows: StoredRows,
  files: ExportedFile[],
  source: Source,
  now: Date,
): AsyncGenerator<Entry> {
  for (const attachment of attachmentsOf(rows)) yield* fileEntry(attachment, files, source);
  yield { name: 'employee.json', input: json(rows.employee) };
  yield { name: 'orders.json', input: json(rows.orders) };
  yield { name: 'incidents.json', input: json(rows.incidents) };
  yield { name: 'audit.json', input: json(rows.audit) };
  yield { name: 'index.html', input: indexPage(rows, files, now) };
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

async function* fileEntry(
  attachment: StoredAttachment,
  files: ExportedFile[],
  { from, organizationId, advance }: Source,
): AsyncGenerator<Entry> {
  const { id, fileName, size, sha256 } = attachment;
  // Some programs that unpack take these for something else.
  const name = `files/${id}-${fileName.replaceAll(/[<>:"|?*]/g, '_')}`;
  const stream = await openInTime(from.store, { organizationId, id, size, sha256 }, from.timeout);
  if (!stream) {
    files.push({ id, name: null, problem: 'it is no longer there' });
    return;
  }
  const check = new FileCheck(attachment);
  yield { name, input: counted(chunksInTime(stream, from.timeout), check, advance) };
  const problem = check.problem() === null ? null : 'it is not as it was stored';
  files.push({ id, name, problem });
}

/** The chunks of a file, until there are more than it can have. */
async function* counted(
  chunks: AsyncIterable<Buffer>,
  check: FileCheck,
  advance: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    advance(chunk.length);
    if (!check.add(chunk)) return;
    yield chunk;
  }
}

async function* withDates(entries: AsyncIterable<Entry>, lastModified: Date) {
  for await (const entry of entries) yield { ...entry, lastModified };
}
