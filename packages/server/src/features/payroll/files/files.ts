import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type PayrollExportDocument,
  type PayrollRun,
  type PayrollTestFileInput,
  unprocessable,
} from '@kontor/contract';
import { newId } from '../../../db/ids.ts';
import type { Queryable } from '../../../db/session.ts';
import type { Session } from '../../../db/transaction.ts';
import type { FileStore } from '../../../files/file-store.ts';
import { nextSlice } from '../../../lib/concurrency/in-slices.ts';
import type { Month } from '../../../lib/calendar.ts';
import { cents } from '../../../lib/money.ts';
import { lineOf, type RunTerms } from '../computation/assess.ts';
import { settingsIn } from '../computation/facts.ts';
import {
  type ClientSettings,
  clientSettings,
  encodeLines,
  type FileHead,
  type Format,
  type Line,
  type Violation,
} from '../formats/format.ts';
import { formats } from '../formats/formats.ts';
import { settingOfKind } from '../computation/kinds.ts';
import { countEntries, type EntryGroup, type EntrySelection, readEntries, type RunKey } from '../ledger.ts';
import { employeesOf, readEmployees } from '../read.ts';
import { checkSettings } from '../settings.ts';

export type NewDocument = Omit<PayrollExportDocument, 'generatedAt' | 'createdAt' | 'updatedAt'>;

/** A released run whose files are to be stored. */
export interface FilesOfRun extends RunKey {
  readonly tenantId: string;
  readonly divisionId: string | null;
  readonly formats: readonly PayrollExportDocument['format'][];
  readonly skippedOrders: number;
  readonly kind: PayrollRun['kind'];
  readonly tenantName: string;
  /** Counts the released runs of the period, kind and division that have files, from 1. */
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
  const groups = await countEntries(parts.session, run);
  const { versions, period } = run.terms;
  const settings = settingsIn(versions, period);
  const documents: NewDocument[] = [];
  for (const name of run.formats) {
    const files = planFiles(groups, { id: run.id, settings, period }, formats[name]);
    if (files.length === 0) documents.push(emptyDocument(run, name, 'empty'));
    for (const file of files) documents.push(await storeFile(parts, run, { name, ...file }));
  }
  return documents;
}

/** A file of a run, and which entries it has. */
export interface PlannedFile extends EntrySelection {
  readonly format: Format;
  readonly head: FileHead;
  /** Whether it reverses amounts of another adviser or client. */
  readonly isOfOtherClient: boolean;
  readonly rowCount: number;
}

/** One file, or one for each month and client where the format requires that. */
export function planFiles(
  groups: readonly EntryGroup[],
  {
    id,
    settings,
    period,
  }: { readonly id: string; readonly settings: ClientSettings; readonly period: Month },
  format: Format,
): PlannedFile[] {
  const own = clientSettings(settings);
  const clientOf = ({ headOf, head }: EntryGroup) => (headOf === id || head === null ? own : head);
  const files = Map.groupBy(groups, group => {
    const client = format.namesClient ? clientOf(group) : own;
    return JSON.stringify([
      format.hasFilePerMonth ? group.month : null,
      isDeepStrictEqual(client, own) ? null : client,
    ]);
  });
  return Array.from(files, ([key, members]) => {
    const [month, client] = JSON.parse(key) as [string | null, ClientSettings | null];
    return {
      format,
      month,
      heads: format.namesClient ? members.map(({ headOf }) => headOf) : null,
      head: { settings: client ?? own, period, month: month ?? period },
      isOfOtherClient: client !== null,
      rowCount: members.reduce((sum, { count }) => sum + count, 0),
    };
  });
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

type WantedFile = PlannedFile & { readonly name: PayrollExportDocument['format'] };

async function storeFile({ session, files }: Parts, run: FilesOfRun, file: WantedFile): Promise<NewDocument> {
  const { organizationId, tenantId: tenant, divisionId, skippedOrders: skippedCount } = run;
  const hash = createHash('sha256');
  let size = 0;
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const chunk of renderFile(session, run, file)) {
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
    period: file.head.month,
    format: file.name,
    status: 'available',
    fileName: fileNameOf(file, run),
    mediaType: file.format.mediaType,
    size,
    sha256: hash.digest('hex'),
    rowCount: file.rowCount,
    skippedCount,
  };
}

type NamedRun = Pick<FilesOfRun, 'divisionId' | 'number' | 'kind' | 'tenantName'> & {
  readonly isCopy?: boolean;
};

/** `lodas-muster-gmbh-10001-2026-11.txt`. A second run of a month, a division, a correction and a reversal add to it. */
export function fileNameOf(
  { format, head: { settings, period, month }, isOfOtherClient }: PlannedFile,
  { divisionId, number, kind, tenantName, isCopy = false }: NamedRun,
): string {
  const { adviserNumber, clientNumber } = settings;
  const parts = [
    format.name,
    slugOf(tenantName),
    isOfOtherClient ? adviserNumber : null,
    clientNumber,
    period,
    number === 1 ? null : number,
    kind === 'reversal' ? 'umbuchung' : null,
    divisionId === null ? null : `bereich-${divisionId.slice(-6)}`,
    month === period ? null : `korrektur-${month}`,
    isCopy ? 'kopie' : null,
  ];
  return `${parts.filter(part => part !== null && part !== '').join('-')}.${format.extension}`;
}

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };
const maxSlug = 40;

/** Letters without accents, digits and hyphens, which every system accepts in the name of a file. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[äöüß]/g, letter => umlauts[letter]!)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlug)
    .replaceAll(/^-|-$/g, '');
}

export async function* renderFile(
  session: Queryable,
  run: RunKey,
  { format, head, ...selection }: PlannedFile,
): AsyncGenerator<Buffer> {
  yield encodeLines(format, format.head(head));
  for await (const entries of readEntries(session, run, selection)) {
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
    `${place && `${place}.`}${field}: ${format} requires another value; see docs/payroll-rules.md`,
  );
}
