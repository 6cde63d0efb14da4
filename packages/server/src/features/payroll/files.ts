import { createHash } from 'node:crypto';
import { type PayrollExportDocument, type PayrollTestFileInput, unprocessable } from '@kontor/contract';
import { newId } from '../../db/ids.ts';
import type { Session } from '../../db/transaction.ts';
import type { FileStore } from '../../files/file-store.ts';
import { nextSlice } from '../../lib/concurrency/in-slices.ts';
import { cents } from '../../lib/money.ts';
import { lineOf, type RunTerms } from './assess.ts';
import { settingsIn } from './facts.ts';
import { encodeLines, type FileHead, type Format, type Line, type Violation } from './formats/format.ts';
import { formats } from './formats/formats.ts';
import { settingOfKind } from './kinds.ts';
import { countByMonth, readEntries, type RunKey } from './ledger.ts';
import { employeesOf, readEmployees } from './read.ts';
import { checkSettings } from './settings.ts';

export type NewDocument = Omit<PayrollExportDocument, 'generatedAt' | 'createdAt' | 'updatedAt'>;

/** A released run whose files are to be stored. */
export interface FilesOfRun extends RunKey {
  readonly tenantId: string;
  readonly divisionId: string | null;
  readonly formats: readonly PayrollExportDocument['format'][];
  readonly skippedOrders: number;
  /** Counts the released runs of the period and division from 1. */
  readonly number: number;
  readonly terms: Pick<RunTerms, 'versions' | 'period'>;
}

interface Parts {
  readonly session: Session;
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
  { session, files }: Parts,
  run: FilesOfRun,
  { name, format, month, rowCount }: WantedFile,
): Promise<NewDocument> {
  const { organizationId, tenantId: tenant, divisionId, skippedOrders: skippedCount, terms } = run;
  const { versions, period } = terms;
  const head = { settings: settingsIn(versions, period), period, month };
  const hash = createHash('sha256');
  let size = 0;
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const chunk of renderFile({ session, run, format, head })) {
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
  run,
  format,
  head,
}: Omit<Parts, 'files'> & { run: FilesOfRun; format: Format; head: FileHead }): AsyncGenerator<Buffer> {
  yield encodeLines(format, format.head(head));
  for await (const entries of readEntries(session, run, format.hasFilePerMonth ? head.month : null)) {
    const employees = format.hasNames
      ? await readEmployees(session, run.organizationId, employeesOf(entries))
      : null;
    const lines = entries.map(entry =>
      format.line(lineOf(entry, employees?.get(entry.employeeId) ?? nameless), head),
    );
    yield encodeLines(format, lines);
    await nextSlice();
  }
}

const mark = 'TEST';

/**
 * Renders amounts as a run does, without storing anything. The name of the file marks it as a test, since the formats of DATEV have no place
 * for a remark. A CSV file names the person so, too.
 * @throws ApiError 422 VALIDATION_ERROR for a value that the format does not take
 */
export function renderTestFile(input: PayrollTestFileInput) {
  const { settings, period } = input;
  checkSettings(settings);
  const format = formats[input.format];
  rejectViolations(input, 'settings', format.checkSettings(settings));
  const head: FileHead = { settings, period, month: period };
  const lines = input.amounts.map(amount => {
    const line = testLine(input, amount);
    rejectViolations(input, '', format.checkLine(line, settings));
    return format.line(line, head);
  });
  return {
    bytes: encodeLines(format, [...format.head(head), ...lines]),
    fileName: `${mark}-${format.name}-${period}.${format.extension}`,
    mediaType: format.mediaType,
  };
}

function testLine(
  { settings, period, personnelNumber, costCenter }: PayrollTestFileInput,
  { kind, amount }: PayrollTestFileInput['amounts'][number],
): Line {
  const name = settingOfKind[kind];
  const mapping = settings.kinds[name];
  if (!mapping?.export)
    throw unprocessable(`amounts: kinds.${name} is not exported; export it, or leave it out`);
  const sign = mapping.sign === 'minus' ? -1n : 1n;
  return {
    personnelNumber,
    lastName: mark,
    firstName: mark,
    month: period,
    kind,
    wageType: mapping.wageType!,
    processingKey: mapping.processingKey,
    cents: cents(amount) * sign,
    costCenter,
    contractNumber: mark,
  };
}

/** The fields of a line that the request has under other names. */
const fieldOf: Readonly<Record<string, string>> = { employeeNumber: 'personnelNumber', amount: 'amounts' };

function rejectViolations(
  { format }: PayrollTestFileInput,
  place: string,
  violations: readonly Violation[],
): void {
  const [first] = violations;
  if (first === undefined) return;
  const field = fieldOf[first.field] ?? first.field;
  throw unprocessable(
    `${place && `${place}.`}${field}: ${format} requires another value; see docs/payroll.md`,
  );
}
