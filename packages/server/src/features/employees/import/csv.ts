import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { OperatorError } from '../../../lib/operator-error.ts';
import { decodeText, type Encoding } from '../../../imports/decode.ts';
import { RejectedRows, rejectedPath } from '../../../imports/rejected-rows.ts';

export interface RecordText {
  /** Where the record begins, counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** Max characters of a record. Without it an unclosed quotation mark would include the rest of the file. */
export const recordMaximum = 1024 * 1024;

/** How a file is written. The default is that of the commands. */
export interface Dialect {
  readonly encoding: Encoding;
  readonly delimiter: ',' | ';';
}

const plainDialect: Dialect = { encoding: 'utf-8', delimiter: ',' };

const quote = 0x22;
const newline = 0x0a;

/**
 * Splits CSV (RFC 4180) into records, a batch per chunk. Lines end with LF or CRLF; empty lines are skipped. The parser reads records
 * with broken quotes one by one.
 * @throws OperatorError with the line, for bytes that are not UTF-8; UnclosedQuote
 */
export async function* splitRecords(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, delimiter } = plainDialect,
): AsyncGenerator<RecordText[]> {
  const separator = delimiter.charCodeAt(0);
  let rest = '';
  let line = 1;
  for await (const text of decodeText(chunks, encoding)) {
    const cut = cutRecords(rest + text, line, separator);
    ({ rest, line } = cut);
    if (rest.length > recordMaximum) throw new UnclosedQuote(line);
    if (cut.records.length > 0) yield cut.records;
  }
  if (rest === '') return;
  const last = cutRecords(`${rest}\n`, line, separator);
  if (last.rest !== '') throw new UnclosedQuote(line);
  if (last.records.length > 0) yield last.records;
}

/** Splits a text that begins in `line` into complete records, and returns the rest. */
function cutRecords(
  text: string,
  line: number,
  separator: number,
): { records: RecordText[]; rest: string; line: number } {
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
      fieldStarts = code === separator;
    }
  }
  return { records, rest: text.slice(start), line };
}

/** A quotation mark is opened in a line and never closed, so the rest of the file cannot be read. */
export class UnclosedQuote extends OperatorError {
  readonly line: number;

  constructor(line: number) {
    super(`the record in line ${line} does not end: a quotation mark is opened there and never closed`);
    this.line = line;
  }
}

export type CsvRecord = RecordText &
  (
    | { readonly cells: readonly string[]; readonly problem: null }
    | { readonly cells: null; readonly problem: string }
  );

// The caller compares the number of values with the header.
const relaxed = { record_delimiter: '\n', relax_column_count: true } as const;

/** Parses records. One with broken quotes gets a `problem`. */
export function parseRecords(records: readonly RecordText[], { delimiter } = plainDialect): CsvRecord[] {
  const options = { ...relaxed, delimiter };
  try {
    const rows = parse(records.map(record => record.text).join('\n'), options);
    return records.map((record, index) => ({ ...record, cells: rows[index]!, problem: null }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return records.map(record => parseSingle(record, options));
  }
}

function parseSingle(record: RecordText, options: typeof relaxed & Pick<Dialect, 'delimiter'>): CsvRecord {
  try {
    return { ...record, cells: parse(record.text, options)[0]!, problem: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return {
      ...record,
      cells: null,
      problem: 'a value contains a quotation mark: quote the value and double the mark',
    };
  }
}

/** The record's text, or a single value when it does not fit the header. PostgreSQL cannot store NUL, so it becomes U+FFFD. */
export function originalOf(record: CsvRecord, header: readonly string[]): string {
  const text = record.text.replaceAll('\0', '\ufffd');
  if (record.cells?.length === header.length) return text;
  return csvLine([text, ...header.slice(1).map(() => '')]);
}

function csvLine(cells: readonly string[]): string {
  return stringify([[...cells]]).trimEnd();
}

/** Opens the file of rejected rows with the columns of the original, the line and the reason. */
export function openRejectedFile(file: string, header: readonly string[]): Promise<RejectedRows> {
  return RejectedRows.open(rejectedPath(file, 'csv'), {
    header: `${csvLine([...header, ...addedColumns(header)])}\n`,
    render: ({ line, original, reason }) => `${original},${csvLine([String(line), reason])}\n`,
  });
}

/** `line` and `reason`, with a number appended if the original has such columns: it may be a rejected file itself. */
function addedColumns(header: readonly string[]): string[] {
  return ['line', 'reason'].map(name => {
    let added = name;
    for (let n = 2; header.includes(added); n++) added = `${name}${n}`;
    return added;
  });
}
