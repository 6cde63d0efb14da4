import { stringify } from 'csv-stringify/sync';
import { rejectedPath, RejectedRows } from '../../../imports/rejected-rows.ts';
import type { CsvRecord } from './parse.ts';

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
