import { type Dialect, type FileFault, identifyFile, readRecords, type TableRecord } from '@kontor/tabular';
import { OperatorError } from '../lib/operator-error.ts';
import { readHeadRows, unclosedQuote } from './file.ts';

/** Bytes by which a file is identified. Any file that the portal accepts is identified by all of them. */
const identifiedBytes = 8 * 1024 * 1024;

/** A file of a command, which may be longer than the memory. */
interface OpenedFile {
  readonly dialect: Dialect;
  /** The cells of the first rows. */
  readonly head: readonly (readonly string[])[];
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Identifies a file by its beginning, and reads its first rows. @throws OperatorError for a file that cannot be read or is empty */
export async function openFile(source: AsyncIterable<Uint8Array>): Promise<OpenedFile> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isComplete = false;
  while (size < identifiedBytes && !isComplete) {
    const { done, value } = await iterator.next();
    isComplete = done === true;
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  const bytes = Buffer.concat(chunks);
  // A character that is cut would not be UTF-8.
  const beginning = isComplete ? bytes : bytes.subarray(0, bytes.lastIndexOf('\n') + 1 || bytes.length);
  const { dialect, fault } = identifyFile(beginning);
  if (fault) throw new OperatorError(describeFault(fault));
  const head = await readHeadRows(beginning, dialect);
  if (head.length === 0) throw new OperatorError('the file is empty; it needs a row that names the columns');
  const rest = { [Symbol.asyncIterator]: () => iterator };
  return { dialect, head: head.map(({ cells }) => cells), chunks: joined(bytes, rest) };
}

async function* joined(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

export function describeFault(fault: FileFault): string {
  if (fault.code === 'other_format')
    return `the file is not CSV but ${fault.format}; save it as CSV UTF-8 and import that`;
  const { line, column, found } = fault;
  return `line ${line} has the byte ${found} (character ${column}), so the file is neither UTF-8 nor Windows-1252; save it as CSV UTF-8 and import that`;
}

/** The records of a file after the first `skip` ones. @throws OperatorError with the place of a quotation mark that is never closed */
export async function* recordsOf(
  chunks: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  skip: number,
): AsyncGenerator<TableRecord> {
  let skipped = 0;
  for await (const { records } of readRecords(chunks, dialect))
    for (const record of records) {
      const unclosed = unclosedQuote(record);
      if (unclosed)
        throw new OperatorError(
          `line ${unclosed.line} has a quotation mark in column ${unclosed.column} that opens a value and is never closed`,
        );
      if (skipped++ >= skip) yield record;
    }
}
