import { isUtf8 } from 'node:buffer';
import { type EmployeeImportFailure, importColumnsMaximum } from '@kontor/contract';
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

/** The records behind the header. */
export async function* rowsOf(bytes: Buffer, dialect: Dialect): AsyncGenerator<CsvRecord[]> {
  let isHeader = true;
  for await (const batch of recordsOf(bytes, dialect)) {
    yield isHeader ? batch.slice(1) : batch;
    isHeader = false;
  }
}

/**
 * The text of a cell without white space around it. An export marks a cell with an apostrophe that a spreadsheet would take for a formula:
 * importing it again must not store the mark.
 */
export function textOf(cell: string): string {
  return withoutFormulaMark(cell.trim());
}

const sampleCount = 3;

/** A first line with one is about a person, who would be neither imported nor erased: names of columns are kept for the next file. */
const emailAddress = /^\S+@\S+\.\S+$/;

export interface Head {
  readonly header: readonly string[];
  /** Values of the first rows, by column. */
  readonly samples: readonly (readonly string[])[];
  readonly failure: EmployeeImportFailure | null;
}

/** Reads the names of the columns and their first values. */
export async function readHead(bytes: Buffer, dialect: Dialect): Promise<Head> {
  const none = { header: [], samples: [] };
  try {
    const rows: CsvRecord[] = [];
    for await (const batch of recordsOf(bytes, dialect)) {
      rows.push(...batch.slice(0, sampleCount + 1));
      if (rows.length > sampleCount) break;
    }
    const [first, ...others] = rows;
    if (first?.cells === null) return { ...none, failure: failureOf('unclosed_quote', { line: first.line }) };
    // PostgreSQL cannot store NUL.
    const header = (first?.cells ?? []).map(cell => textOf(cell).replaceAll('\0', '\ufffd'));
    if (header.some(name => emailAddress.test(name))) return { ...none, failure: failureOf('no_header') };
    const samples = header.map((_, index) =>
      others.slice(0, sampleCount).map(({ cells }) => firstCharacters(textOf(cells?.[index] ?? ''))),
    );
    return { header, samples, failure: failureOfHeader(header, others.length) };
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    return { ...none, failure: failureOf('unclosed_quote', { line: error.line }) };
  }
}

function failureOfHeader(header: readonly string[], rows: number): EmployeeImportFailure | null {
  if (rows === 0) return failureOf('no_rows');
  if (header.length > importColumnsMaximum) return failureOf('too_many_columns');
  const repeated = header.find((name, index) => name !== '' && header.indexOf(name) !== index);
  return repeated === undefined ? null : failureOf('repeated_column', { column: repeated });
}

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
