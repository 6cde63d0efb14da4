import { createHash } from 'node:crypto';
import type { PayrollExportDocument } from '@kontor/contract';
import { newId } from '../../db/ids.ts';
import type { Session } from '../../db/transaction.ts';
import type { FileStore } from '../../files/file-store.ts';
import { nextSlice } from '../../lib/concurrency/in-slices.ts';
import { lineOf, type RunTerms } from './assess.ts';
import { encodeLines, type FileHead, type Format } from './formats/format.ts';
import { formats } from './formats/formats.ts';
import { countByMonth, readEntries, type RunKey } from './ledger.ts';
import type { PayrollReaders } from './orders.ts';

export type NewDocument = Omit<PayrollExportDocument, 'generatedAt' | 'createdAt' | 'updatedAt'>;

/** A released run whose files are to be stored. */
export interface FilesOfRun extends RunKey {
  readonly tenantId: string;
  readonly divisionId: string | null;
  readonly formats: readonly PayrollExportDocument['format'][];
  readonly skippedOrders: number;
  /** Counts the released runs of the period and division from 1. */
  readonly number: number;
  readonly terms: Pick<RunTerms, 'settings' | 'period'>;
}

interface Parts {
  readonly session: Session;
  readonly readers: Pick<PayrollReaders, 'readEmployees'>;
  readonly files: FileStore;
}

const nameless = { lastName: null, firstName: null };

/**
 * Streams the files of a run into the store, and returns their documents. A format with a file per month has one for each corrected month;
 * a run without entries has an empty document per format. @throws FileStoreError, errors of the database
 */
export async function storeFiles(parts: Parts, run: FilesOfRun): Promise<NewDocument[]> {
  const months = await countByMonth(parts.session, run);
  const { period } = run.terms;
  const documents: NewDocument[] = [];
  for (const name of run.formats) {
    const format = formats[name];
    const all = { month: period, rowCount: [...months.values()].reduce((sum, count) => sum + count, 0) };
    const wanted = format.hasFilePerMonth
      ? Array.from(months, ([month, rowCount]) => ({ month, rowCount }))
      : [all];
    if (all.rowCount === 0) documents.push(emptyDocument(run, name, 'empty'));
    else for (const file of wanted) documents.push(await storeFile(parts, run, { name, format, ...file }));
  }
  return documents;
}

/** A document without a file: there was nothing to export, or the file could not be stored. */
export function emptyDocument(
  run: Pick<FilesOfRun, 'tenantId' | 'divisionId' | 'skippedOrders' | 'terms'>,
  format: PayrollExportDocument['format'],
  status: 'empty' | 'failed',
): NewDocument {
  const { tenantId: tenant, divisionId, skippedOrders: skippedCount, terms } = run;
  const noFile = { fileName: null, mediaType: null, size: null, sha256: null };
  return {
    id: newId(),
    tenant,
    divisionId,
    period: terms.period,
    format,
    status,
    ...noFile,
    rowCount: 0,
    skippedCount,
  };
}

interface WantedFile {
  readonly name: PayrollExportDocument['format'];
  readonly format: Format;
  readonly month: string;
  readonly rowCount: number;
}

async function storeFile(
  { session, readers, files }: Parts,
  run: FilesOfRun,
  { name, format, month, rowCount }: WantedFile,
): Promise<NewDocument> {
  const { organizationId, tenantId: tenant, divisionId, skippedOrders: skippedCount, terms } = run;
  const head = { ...terms, month };
  const hash = createHash('sha256');
  let size = 0;
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const chunk of renderFile({ session, readers, run, format, head })) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  const id = newId();
  await files.put(session, { organizationId, id, bytes: measured() });
  return {
    id,
    tenant,
    divisionId,
    period: month,
    format: name,
    status: 'available',
    fileName: fileNameOf(format, head, run),
    mediaType: format.mediaType,
    size,
    sha256: hash.digest('hex'),
    rowCount,
    skippedCount,
  };
}

function fileNameOf(
  { name, extension }: Format,
  { period, month }: FileHead,
  { divisionId, number }: Pick<FilesOfRun, 'divisionId' | 'number'>,
): string {
  const again = number === 1 ? '' : `-${number}`;
  const division = divisionId === null ? '' : `-bereich-${divisionId.slice(-6)}`;
  const correction = month === period ? '' : `-korrektur-${month}`;
  return `${name}-${period}${again}${division}${correction}.${extension}`;
}

async function* renderFile({
  session,
  readers,
  run,
  format,
  head,
}: Omit<Parts, 'files'> & { run: FilesOfRun; format: Format; head: FileHead }): AsyncGenerator<Buffer> {
  yield encodeLines(format, format.head(head));
  for await (const entries of readEntries(session, run, format.hasFilePerMonth ? head.month : null)) {
    const employeeIds = [...new Set(entries.map(({ employeeId }) => employeeId))];
    const employees = format.hasNames
      ? await readers.readEmployees(session, run.organizationId, employeeIds)
      : null;
    const lines = entries.map(entry =>
      format.line(lineOf(entry, employees?.get(entry.employeeId) ?? nameless), head),
    );
    yield encodeLines(format, lines);
    await nextSlice();
  }
}
