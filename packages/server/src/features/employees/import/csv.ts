import { TextDecoder } from 'node:util';
import { ImportError } from './columns.ts';
import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { RejectedRows, rejectedPath } from '../../../imports/rejected-rows.ts';

/** A record of a CSV file as it is written there, without its line end. */
export interface RecordText {
  /** The line of the file that the record begins in; the first line is 1. */
  readonly line: number;
  readonly text: string;
}

/** Most characters of one record. A quotation mark that is never closed would otherwise take the rest of the file. */
export const recordMaximum = 1024 * 1024;

const quote = 0x22;
const comma = 0x2c;
const newline = 0x0a;

/**
 * Cuts UTF-8 CSV (RFC 4180) into records, a batch for each piece that is read. Lines end with LF or CRLF; empty lines are
 * left out; a byte order mark is skipped. Broken quotes inside a line are left to the parser, which sees one record at a
 * time, so that a broken one costs no other.
 * @throws {@link ImportError}, naming the line, where the bytes are not UTF-8 and where a quoted value does not end
 */
export async function* splitRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RecordText[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let line = 1;
  for await (const chunk of chunks) {
    const cut = cutRecords(rest + decode(decoder, chunk, line + newlines(rest)), line);
    ({ rest, line } = cut);
    if (rest.length > recordMaximum) throw unending(line);
    if (cut.records.length > 0) yield cut.records;
  }
  rest += decode(decoder, undefined, line + newlines(rest));
  if (rest === '') return;
  const last = cutRecords(`${rest}\n`, line);
  if (last.rest !== '') throw unending(line);
  if (last.records.length > 0) yield last.records;
}

/** The complete records of a text that begins with `line`, and what follows the last of them. */
function cutRecords(text: string, line: number): { records: RecordText[]; rest: string; line: number } {
  const records: RecordText[] = [];
  let start = 0;
  let linesInside = 0;
  let quoted = false;
  let fieldStarts = true;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (quoted) {
      if (code === newline) linesInside++;
      else if (code === quote && text.charCodeAt(i + 1) === quote) i++;
      else if (code === quote) quoted = false;
    } else if (code === newline) {
      const end = text[i - 1] === '\r' && i > start ? i - 1 : i;
      if (end > start) records.push({ line, text: text.slice(start, end) });
      line += linesInside + 1;
      linesInside = 0;
      start = i + 1;
      fieldStarts = true;
    } else {
      if (code === quote && fieldStarts) quoted = true;
      fieldStarts = code === comma;
    }
  }
  return { records, rest: text.slice(start), line };
}

/** Decodes the next piece, or with none what the pieces left over. `line` is the line that the piece begins in. */
function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, line: number): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    const before = new TextDecoder().decode(chunk).split('\ufffd', 1)[0]!;
    throw new ImportError(
      `line ${line + newlines(before)} is not UTF-8; save the file as UTF-8 and import it again`,
    );
  }
}

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function unending(line: number): ImportError {
  return new ImportError(
    `the record in line ${line} does not end: a quotation mark is opened there and never closed`,
  );
}

/** A record with its values, or with the reason why it has none. */
export type CsvRecord = RecordText &
  (
    | { readonly cells: readonly string[]; readonly problem: null }
    | { readonly cells: null; readonly problem: string }
  );

// How many values a record has is judged against the header by the caller, who names the numbers.
const options = { record_delimiter: '\n', relax_column_count: true } as const;

/** The values of each record. A record with broken quotes has a `problem` instead. */
export function parseRecords(records: readonly RecordText[]): CsvRecord[] {
  try {
    const rows = parse(records.map(record => record.text).join('\n'), options);
    return records.map((record, index) => ({ ...record, cells: rows[index]!, problem: null }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return records.map(parseAlone);
  }
}

function parseAlone(record: RecordText): CsvRecord {
  try {
    return { ...record, cells: parse(record.text, options)[0]!, problem: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return {
      ...record,
      cells: null,
      problem: 'a quotation mark stands inside a value: quote the value and double the mark',
    };
  }
}

/**
 * What the rejected file shows of a record: its own text, which fills its columns; or, where it does not fit the header,
 * the whole text in the first column, so that nothing is lost. A NUL character, which the database cannot hold on the way,
 * becomes U+FFFD.
 */
export function originalOf(record: CsvRecord, header: readonly string[]): string {
  const text = record.text.replaceAll('\0', '\ufffd');
  if (record.cells?.length === header.length) return text;
  return csvLine([text, ...header.slice(1).map(() => '')]);
}

function csvLine(cells: readonly string[]): string {
  return stringify([[...cells]]).trimEnd();
}

/** Opens the file of the rejected rows of `file`: the columns of the original, the line and the reason. */
export function openRejectedFile(file: string, header: readonly string[]): Promise<RejectedRows> {
  return RejectedRows.open(rejectedPath(file, 'csv'), {
    header: `${csvLine([...header, ...addedColumns(header)])}\n`,
    render: ({ line, original, reason }) => `${original},${csvLine([String(line), reason])}\n`,
  });
}

/** `line` and `reason`, unless the original has columns of these names, as a rejected file has that is imported again. */
function addedColumns(header: readonly string[]): string[] {
  return ['line', 'reason'].map(name => {
    let added = name;
    for (let n = 2; header.includes(added); n++) added = `${name}${n}`;
    return added;
  });
}
