import {
  type Dialect,
  type Fault,
  maxCells,
  maxCharacters,
  readRecords,
  type TableRecord,
} from '@kontor/tabular';
import { stringify } from 'csv-stringify/sync';
import { OperatorError } from '../../../lib/operator-error.ts';
import { RejectedRows, rejectedPath } from '../../../imports/rejected-rows.ts';

const dialect: Dialect = { encoding: 'utf-8', delimiter: ',' };

/**
 * Reads the records of a file of a command.
 * @throws OperatorError with line and column of a fault after which the rest of the file means something else
 */
export async function* readFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TableRecord> {
  for await (const { records } of readRecords(chunks, dialect))
    for (const record of records) {
      // The last one is the cause of others: a quote that is never closed makes a record too long.
      const message = record.faults
        .map(fault => describeFatal(fault, record))
        .findLast(text => text !== null);
      if (message !== undefined) throw new OperatorError(message);
      yield record;
    }
}

function describeFatal({ code, line, column, found }: Fault, record: TableRecord): string | null {
  switch (code) {
    case 'invalid_byte':
      return `line ${line} is not UTF-8 (byte ${found} in column ${column}); save the file as UTF-8 and import it again`;
    case 'unclosed_quote':
      return `line ${line} has a quotation mark in column ${column} that opens a value and is never closed`;
    case 'too_many_characters':
      return `the record in line ${record.line} has more than ${maxCharacters} characters`;
    default:
      return null;
  }
}

/** Describes why a record cannot be imported; null for one without a fault. */
export function describeFault({ faults: [fault] }: TableRecord): string | null {
  if (!fault) return null;
  if (fault.code === 'too_many_cells') return `the record has more than ${maxCells} values`;
  return `a value contains a quotation mark (line ${fault.line}, near column ${fault.column}): quote the value and double the mark`;
}

/** The record's text, or a single value when it does not fit the header. PostgreSQL cannot store NUL, so it becomes U+FFFD. */
export function originalOf(record: TableRecord, header: readonly string[]): string {
  const text = record.text.replaceAll('\0', '\ufffd');
  if (record.faults.length === 0 && record.cells.length === header.length) return text;
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
