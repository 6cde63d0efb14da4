import {
  type EmployeeImportFailure,
  importColumnsMaximum,
  importFirstRowsMaximum,
  importHeaderRowsMaximum,
  importRowsMaximum,
} from '@kontor/contract';
import {
  type Dialect,
  type FileFault,
  identifyFile,
  type Position,
  readRecords,
  type TableRecord,
} from '@kontor/tabular';
import { nextSlice } from '../lib/concurrency/in-slices.ts';

export type Source = Parameters<typeof readRecords>[0];

/** The records of a file in batches, or of the rest of one, so that other requests are served in between. */
export function batchesOf(source: Source, dialect: Dialect, from?: Position): ReturnType<typeof readRecords> {
  return readRecords(source, dialect, { pause: nextSlice, ...(from && { from }) });
}

/** Max characters of a cell that are stored with the first rows. No column has a longer name. */
const headCellLength = 254;

/** A row of the head of a file. */
export interface HeadRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The first rows of a file: those that can be its header, and samples. */
export type Head = readonly HeadRow[];

/** How many rows a file has, and how many cells of each column are not empty. The rows of the head count as well. */
export interface Filled {
  readonly rows: number;
  readonly cells: readonly number[];
}

/** The result of reading an uploaded file. */
export interface Inspection {
  readonly dialect: Dialect;
  readonly head: Head;
  /** A file with too many rows is not read to its end. */
  readonly filled: Filled;
  readonly failure: EmployeeImportFailure | null;
}

const noDialect: Dialect = { encoding: 'utf-8', delimiter: ';' };

export async function inspectFile(bytes: Uint8Array): Promise<Inspection> {
  const { dialect, fault } = identifyFile(bytes);
  if (fault) return failed(noDialect, failureOfFault(fault));
  const head: TableRecord[] = [];
  const cells: number[] = [];
  let rows = 0;
  for await (const { records } of batchesOf(bytes, dialect)) {
    head.push(...records.slice(0, importFirstRowsMaximum - head.length));
    for (const record of records)
      for (const [column, cell] of record.cells.slice(0, importColumnsMaximum).entries())
        if (hasText(cell)) cells[column] = (cells[column] ?? 0) + 1;
    rows += records.length;
    if (rows > importRowsMaximum + importHeaderRowsMaximum) break;
  }
  if (rows === 0) return failed(dialect, failureOf('no_rows'));
  const unclosed = head.map(unclosedQuote).find(Boolean);
  if (unclosed) return failed(dialect, failureOfQuote(unclosed));
  return { dialect, head: head.map(headRow), filled: { rows, cells }, failure: null };
}

/** Whether a cell has more than spaces. A long cell is not copied. */
export const hasText = (cell: string) => cell !== '' && /\S/.test(cell);

/** The head of a file from its beginning. A record that is cut may be the last one. */
export async function readHeadRows(beginning: Uint8Array, dialect: Dialect): Promise<Head> {
  const head: HeadRow[] = [];
  for await (const { records } of batchesOf(beginning, dialect)) {
    head.push(...records.map(headRow));
    if (head.length >= importFirstRowsMaximum) break;
  }
  return head.slice(0, importFirstRowsMaximum);
}

function failed(dialect: Dialect, failure: EmployeeImportFailure): Inspection {
  return { dialect, head: [], filled: { rows: 0, cells: [] }, failure };
}

/** The quotation mark that makes the rest of a file unreadable. */
export function unclosedQuote({ faults }: TableRecord) {
  return faults.find(({ code }) => code === 'unclosed_quote');
}

export function failureOfQuote({ line, column, found }: NonNullable<ReturnType<typeof unclosedQuote>>) {
  return failureOf('unclosed_quote', { line, column, found });
}

function headRow({ line, cells }: TableRecord): HeadRow {
  // One column more shows that there are too many.
  return { line, cells: cells.slice(0, lastFilled(cells, importColumnsMaximum) + 1).map(storedText) };
}

/** The position of the last cell with text, at least `min` - 1: empty cells at the end count up to that. */
function lastFilled(cells: readonly string[], min: number): number {
  return cells.length <= min ? cells.length - 1 : Math.max(min - 1, cells.findLastIndex(hasText));
}

const storedText = (cell: string) => withoutNul(firstCharacters(cell.trim(), headCellLength));

/** A text that PostgreSQL stores. */
export const withoutNul = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed();

function failureOfFault(fault: FileFault): EmployeeImportFailure {
  if (fault.code === 'other_format') return failureOf('other_format', { format: fault.format });
  const { line, column, found } = fault;
  return failureOf('unknown_encoding', { line, column, found });
}

export function failureOf(
  reason: EmployeeImportFailure['reason'],
  details: Partial<EmployeeImportFailure> = {},
): EmployeeImportFailure {
  return { line: null, column: null, found: null, format: null, ...details, reason };
}

/** The first characters of a text, without half of one. */
export function firstCharacters(text: string, max = 100): string {
  return text.slice(0, max).toWellFormed();
}
