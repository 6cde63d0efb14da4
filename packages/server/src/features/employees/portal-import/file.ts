import { isUtf8 } from 'node:buffer';
import {
  type EmployeeImportFailure,
  type EmployeeImportMapping,
  importColumnsMaximum,
} from '@kontor/contract';
import { withoutFormulaMark } from '../../../lib/csv-cell.ts';
import { nextSlice } from '../../../lib/in-slices.ts';
import { type CsvRecord, type Dialect, parseRecords, splitRecords, UnclosedQuote } from '../import/csv.ts';

/** Bytes that are parsed at once, so that other requests are served in between. */
const chunkSize = 64 * 1024;

/** Detects how a file is written. Text of another encoding is hardly ever valid UTF-8. The header has the delimiter. */
export function detectDialect(bytes: Buffer): Dialect {
  const header = unquotedLine(bytes);
  const isSemicolon = header.split(';').length >= header.split(',').length && header.includes(';');
  return { encoding: isUtf8(bytes) ? 'utf-8' : 'windows-1252', delimiter: isSemicolon ? ';' : ',' };
}

/** The first line with a character, without its quoted values. */
function unquotedLine(bytes: Buffer): string {
  const text = bytes.toString('latin1', 0, chunkSize);
  const unquoted = text.replaceAll(/"[^"]*"/g, '');
  return /[^\r\n]+/.exec(unquoted)?.[0] ?? '';
}

/** The records of a file, in batches. @throws UnclosedQuote */
async function* recordsOf(bytes: Buffer, dialect: Dialect): AsyncGenerator<CsvRecord[]> {
  for await (const batch of splitRecords(chunksOf(bytes), dialect)) {
    await nextSlice();
    yield parseRecords(batch, dialect);
  }
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
}

/** The records without the header. */
export async function* rowsOf(
  bytes: Buffer,
  dialect: Dialect,
  { hasHeader }: Pick<EmployeeImportMapping, 'hasHeader'>,
): AsyncGenerator<CsvRecord[]> {
  let headers = hasHeader ? 1 : 0;
  for await (const batch of recordsOf(bytes, dialect)) {
    yield batch.slice(headers);
    headers = 0;
  }
}

/**
 * The text of a cell without white space around it. An export marks a cell with an apostrophe that a spreadsheet would take for a formula:
 * importing it again must not store the mark.
 */
export function textOf(cell: string): string {
  return withoutFormulaMark(cell.trim());
}

/** Rows behind the first one that are shown. */
const sampleCount = 3;

export interface Head {
  /** The first rows. The names of the columns may be the first one. */
  readonly rows: readonly (readonly string[])[];
  readonly failure: EmployeeImportFailure | null;
}

/** Reads the first rows. */
export async function readHead(bytes: Buffer, dialect: Dialect): Promise<Head> {
  const failed = (...failure: Parameters<typeof failureOf>) => ({ rows: [], failure: failureOf(...failure) });
  try {
    const records: CsvRecord[] = [];
    for await (const batch of recordsOf(bytes, dialect)) {
      records.push(...batch.slice(0, sampleCount + 1));
      if (records.length > sampleCount) break;
    }
    const [first] = records;
    if (first === undefined) return failed('no_rows');
    if (first.cells === null) return failed('unclosed_quote', { line: first.line });
    if (first.cells.length > importColumnsMaximum) return failed('too_many_columns');
    const rows = records.slice(0, sampleCount + 1).map(({ cells }) => (cells ?? []).map(storedText));
    return { rows, failure: null };
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    return failed('unclosed_quote', { line: error.line });
  }
}

/** PostgreSQL cannot store NUL. */
const storedText = (cell: string) => textOf(cell).replaceAll('\0', '\ufffd');

export function failureOf(
  reason: EmployeeImportFailure['reason'],
  { line = null, column = null }: Partial<Pick<EmployeeImportFailure, 'line' | 'column'>> = {},
): EmployeeImportFailure {
  return { reason, line, column: column === null ? null : firstCharacters(column) };
}

/** The first characters of a text, without half of one. */
export function firstCharacters(text: string): string {
  return text.slice(0, 100).toWellFormed();
}
