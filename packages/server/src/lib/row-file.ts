import { Readable } from 'node:stream';
import { csvCell } from './csv-cell.ts';

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

/** The same as CSV, with a line of the names of the columns. */
export function csvFile<Name extends string>(
  slices: AsyncGenerator<readonly Readonly<Record<Name, Cell>>[]>,
  columns: readonly Name[],
): Promise<Readable> {
  return rowFile(
    slices,
    rows => csvOf(rows.map(row => columns.map(name => cellOf(row[name])))),
    csvOf([columns]),
  );
}

function cellOf(value: Cell): string {
  return typeof value === 'object' && value !== null ? value.join(' ') : String(value ?? '');
}

function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map(cells => `${cells.map(cell => csvCell(cell, ',')).join(',')}\r\n`).join('');
}
