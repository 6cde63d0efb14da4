import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { ApiError } from '@kontor/contract';
import { makeZip } from 'client-zip';
import type { Pool } from '../db/connect.ts';
import { longDeadline, inTransaction } from '../db/transaction.ts';
import { sql } from '../db/sql.ts';
import { chunksInTime, FileCheck, type Files, openInTime } from '../files/download.ts';
import { type Author, callOf, Writes } from '../write/writes.ts';
import type { EmployeeKey } from './erase.ts';
import { type ExportedFile, indexPage, type PageContent } from './index-page.ts';
import { attachmentsOf, readStoredRows, type StoredAttachment, type StoredRows } from './stored-rows.ts';
import { readSubjectContext, type SubjectContext } from './subject-context.ts';

export interface DataSubjectExport {
  readonly rows: StoredRows;
  /** Total bytes of the files. */
  readonly fileBytes: number;
  /** The ZIP, rendered while it is read. */
  readonly zip: Readable;
  /** The outcome of each file. Complete when the ZIP is. */
  readonly files: readonly ExportedFile[];
}

interface Entry {
  readonly name: string;
  readonly input: string | AsyncIterable<Uint8Array>;
}

export interface ExportParts {
  readonly reads: Pool;
  readonly writes: Pool;
  readonly files: Files;
}

export interface ExportHow {
  readonly author: Author;
  readonly now: Date;
  /** Called with numbers of file bytes. */
  readonly advance: (bytes: number) => void;
  /** Whether reading the rows has no deadline. Otherwise the pool's statement deadline applies. */
  readonly unhurried: boolean;
}

/**
 * Exports the stored data of an employee (GDPR Art. 15 and 20): rows of one snapshot as JSON, files, and a page that explains them.
 * The export contains its own audit entry. All rows, but only one chunk of a file, are in memory.
 * @throws ApiError NOT_FOUND; the ZIP fails with the errors of the file store
 */
export async function exportDataSubject(
  { reads, writes, files: from }: ExportParts,
  key: EmployeeKey,
  { author, now, advance, unhurried }: ExportHow,
): Promise<DataSubjectExport> {
  const { organizationId, employeeId } = key;
  const found = await reads.run(sql`
    SELECT FROM employee WHERE organization_id = ${organizationId} AND id = ${employeeId}`);
  if (found === 0) throw new ApiError('NOT_FOUND', `There is no employee ${employeeId}`);
  await new Writes(writes).recordAccess(callOf(organizationId, author), write =>
    write.audit({ id: employeeId, action: 'employee.export' }),
  );
  const { rows, context } = await readAtOneInstant(reads, key, unhurried);
  const files: ExportedFile[] = [];
  const source = { from, organizationId, advance };
  const stream = makeZip(withDates(entriesOf({ rows, context, files, now }, files, source), now));
  return {
    rows,
    fileBytes: attachmentsOf(rows).reduce((sum, { size }) => sum + size, 0),
    zip: Readable.fromWeb(stream as ReadableStream),
    files,
  };
}

async function readAtOneInstant(
  db: Pool,
  { organizationId, employeeId }: EmployeeKey,
  unhurried: boolean,
): Promise<{ rows: StoredRows; context: SubjectContext }> {
  return inTransaction(
    db,
    async session => {
      await session.run(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
      if (unhurried) await session.run(sql`SELECT set_config('statement_timeout', '0', true)`);
      const rows = (await readStoredRows(session, organizationId, employeeId))!;
      return { rows, context: await readSubjectContext(session, organizationId, rows.employee) };
    },
    { ...(unhurried && { deadline: longDeadline }), prepare: false },
  );
}

interface Source {
  readonly from: Files;
  readonly organizationId: string;
  readonly advance: (bytes: number) => void;
}

/** Files come first, so that a failing store is detected before anything is sent. The page comes last, because it lists them. */
async function* entriesOf(
  content: PageContent,
  files: ExportedFile[],
  source: Source,
): AsyncGenerator<Entry> {
  const { rows } = content;
  for (const attachment of attachmentsOf(rows)) yield* fileEntry(attachment, files, source);
  yield { name: 'employee.json', input: json(rows.employee) };
  yield { name: 'orders.json', input: json(rows.orders) };
  yield { name: 'incidents.json', input: json(rows.incidents) };
  yield { name: 'payroll.json', input: json(rows.payroll) };
  yield { name: 'payroll-answers.json', input: json(rows.answers) };
  yield { name: 'payroll-proposals.json', input: json(rows.proposals) };
  yield { name: 'history.json', input: json(rows.history) };
  yield { name: 'imports.json', input: json(rows.imports) };
  yield { name: 'audit.json', input: json(rows.audit) };
  yield { name: 'index.html', input: indexPage(content) };
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

async function* fileEntry(
  attachment: StoredAttachment,
  files: ExportedFile[],
  { from, organizationId, advance }: Source,
): AsyncGenerator<Entry> {
  const { id, fileName, size, sha256 } = attachment;
  // Some programs cannot unpack names with these characters.
  const name = `files/${id}-${fileName.replaceAll(/[<>:"|?*]/g, '_')}`;
  const stream = await openInTime(from.store, { organizationId, id, size, sha256 }, from.timeout);
  if (!stream) {
    files.push({ id, name: null, problem: 'missing' });
    return;
  }
  const check = new FileCheck(attachment);
  yield { name, input: counted(chunksInTime(stream, from.timeout), check, advance) };
  const problem = check.problem() === null ? null : 'damaged';
  files.push({ id, name, problem });
}

/** Yields the chunks of a file, up to its recorded size. */
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
