import { Readable } from 'node:stream';
import { csvCell } from '@kontor/tabular';

/** Streams slices of rows as text, with one slice in memory. Awaits the first one, so an invalid request fails early. @throws errors of reading the first slice */
export async function rowFile<Row>(
  slices: AsyncGenerator<readonly Row[]>,
  render: (rows: readonly Row[]) => string,
  head = '',
): Promise<Readable> {
  const first = await slices.next();
  return Readable.from(chunks());

  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      if (head !== '') yield Buffer.from(head);
      for (let slice = first; !slice.done; slice = await slices.next())
        if (slice.value.length > 0) yield Buffer.from(render(slice.value));
    } finally {
      await slices.return(undefined);
    }
  }
}

type Cell = string | number | boolean | null | readonly string[];

/** CSV by its reader. A German spreadsheet needs the semicolon, and each needs the byte order mark to read UTF-8. */
export const byteOrderMark = '\uFEFF';
const dialects = {
  program: { delimiter: ',', mark: '' },
  spreadsheet: { delimiter: ';', mark: byteOrderMark },
} as const;

/** A line of CSV for a spreadsheet. */
export function csvLine(cells: readonly string[], delimiter: ',' | ';' = ';'): string {
  return `${cells.map(cell => csvCell(cell, delimiter)).join(delimiter)}\r\n`;
}

/** The same as CSV, with a line of the names of the columns. */
export function csvFile<Name extends string>(
  slices: AsyncGenerator<readonly Readonly<Record<Name, Cell>>[]>,
  columns: readonly Name[],
  reader: keyof typeof dialects,
): Promise<Readable> {
  const { delimiter, mark } = dialects[reader];
  const lineOf = (cells: readonly string[]) => csvLine(cells, delimiter);
  return rowFile(
    slices,
    rows => rows.map(row => lineOf(columns.map(name => cellOf(row[name])))).join(''),
    mark + lineOf(columns),
  );
}

function cellOf(value: Cell): string {
  return typeof value === 'object' && value !== null ? value.join(' ') : String(value ?? '');
}
