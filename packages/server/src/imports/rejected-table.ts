import { type Dialect, fitCells, type TableRecord } from '@kontor/tabular';
import { stringify } from 'csv-stringify/sync';
import { withoutNul } from './file.ts';
import { originalCells } from './records.ts';
import { RejectedRows, rejectedPath } from './rejected-rows.ts';

/** A record for the rejected file: as it is written, if it has a cell for each column. */
export function originalLine(record: TableRecord, header: readonly string[], dialect: Dialect): string {
  const { cells, faults, text } = record;
  if (faults.length === 0 && cells.length === header.length) return withoutNul(text);
  return line(fitCells(originalCells(record, header.length), header.length).cells!, dialect);
}

function line(cells: readonly string[], { delimiter }: Dialect): string {
  return stringify([[...cells]], { delimiter }).trimEnd();
}

/** Opens the file of rejected rows with the columns of the original, the line and the reason. */
export function openRejectedFile(
  file: string,
  header: readonly string[],
  dialect: Dialect,
): Promise<RejectedRows> {
  return RejectedRows.open(rejectedPath(file, 'csv'), {
    header: `${line([...header, ...addedColumns(header)], dialect)}\n`,
    render: ({ line: number, original, reason }) =>
      `${original}${dialect.delimiter}${line([String(number), reason], dialect)}\n`,
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
