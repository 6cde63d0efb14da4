import { type EmployeeImportFailure, importColumnsMaximum, importRowsMaximum } from '@kontor/contract';
import { type Dialect, type Position, readRecords, type TableRecord } from '@kontor/tabular';
import { withoutFormulaMark } from '../../../lib/csv-cell.ts';
import { nextSlice } from '../../../lib/in-slices.ts';

export type Source = Parameters<typeof readRecords>[0];

/** The records of a file in batches, or of the rest of one, so that other requests are served in between. */
export function batchesOf(source: Source, dialect: Dialect, from?: Position): ReturnType<typeof readRecords> {
  return readRecords(source, dialect, { pause: nextSlice, ...(from && { from }) });
}

/**
 * The text of a cell without white space around it. An export marks a cell with an apostrophe that a spreadsheet would take for a formula:
 * importing it again must not store the mark.
 */
export function textOf(cell: string): string {
  return withoutFormulaMark(cell.trim());
}

/** Rows after the first one that are shown. */
const sampleCount = 3;

/** Max characters of a cell that are stored with the first rows. No column has a longer name. */
const headCellLength = 254;

/** The result of reading an uploaded file. */
export interface Inspection {
  /** The first rows. The names of the columns may be the first one. */
  readonly head: Head;
  /** Rows with the first one. A file with too many is not read to its end. */
  readonly count: number;
  readonly failure: EmployeeImportFailure | null;
}

export type Head = readonly (readonly string[])[];

export async function inspectFile(bytes: Uint8Array, dialect: Dialect): Promise<Inspection> {
  const records: TableRecord[] = [];
  let count = 0;
  for await (const batch of batchesOf(bytes, dialect)) {
    records.push(...batch.records.slice(0, sampleCount + 1 - records.length));
    count += batch.records.length;
    if (count > importRowsMaximum + 1) break;
  }
  const failure = failureOfRecords(records);
  return { head: failure === null ? headOf(records) : [], count, failure };
}

function failureOfRecords(records: readonly TableRecord[]): EmployeeImportFailure | null {
  const [first] = records;
  if (first === undefined) return failureOf('no_rows');
  const fault = first.faults[0] ?? records.map(unclosedQuote).find(Boolean);
  if (fault) return failureOf('unclosed_quote', { line: fault.line });
  return first.cells.length > importColumnsMaximum ? failureOf('too_many_columns') : null;
}

/** The quotation mark that makes the rest of a file unreadable. */
export function unclosedQuote({ faults }: TableRecord) {
  return faults.find(({ code }) => code === 'unclosed_quote');
}

function headOf(records: readonly TableRecord[]): Head {
  return records.map(({ cells, faults }) =>
    (faults.length > 0 ? [] : cells.slice(0, importColumnsMaximum)).map(storedText),
  );
}

/** PostgreSQL cannot store NUL. */
const storedText = (cell: string) => firstCharacters(textOf(cell), headCellLength).replaceAll('\0', '\ufffd');

export function failureOf(
  reason: EmployeeImportFailure['reason'],
  { line = null, column = null }: Partial<Pick<EmployeeImportFailure, 'line' | 'column'>> = {},
): EmployeeImportFailure {
  return { reason, line, column: column === null ? null : firstCharacters(column) };
}

/** The first characters of a text, without half of one. */
export function firstCharacters(text: string, max = 100): string {
  return text.slice(0, max).toWellFormed();
}
