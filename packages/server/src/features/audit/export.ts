import { Readable } from 'node:stream';
import { AuditEntry } from '@kontor/contract';
import { stringify } from 'csv-stringify/sync';

export type AuditFormat = 'jsonl' | 'csv';

export const auditMediaTypes = {
  jsonl: 'application/x-ndjson',
  csv: 'text/csv',
} as const satisfies Record<AuditFormat, string>;

/** Keeps one slice in memory. Awaits the first slice, so an invalid request fails early. @throws errors of reading the first slice */
export async function auditFile(
  slices: AsyncGenerator<readonly AuditEntry[]>,
  format: AuditFormat,
): Promise<Readable> {
  const first = await slices.next();
  const render = format === 'csv' ? csvOf : jsonLinesOf;
  return Readable.from(chunks());

  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      if (format === 'csv') yield Buffer.from(line([columns]));
      for (let slice = first; !slice.done; slice = await slices.next())
        if (slice.value.length > 0) yield Buffer.from(render(slice.value));
    } finally {
      await slices.return(undefined);
    }
  }
}

function jsonLinesOf(entries: readonly AuditEntry[]): string {
  return entries.map(entry => `${JSON.stringify(entry)}\n`).join('');
}

const columns = Object.keys(AuditEntry.properties) as (keyof AuditEntry)[];

function csvOf(entries: readonly AuditEntry[]): string {
  return line(entries.map(entry => columns.map(name => cellOf(entry[name]))));
}

function cellOf(value: AuditEntry[keyof AuditEntry]): string {
  return Array.isArray(value) ? value.join(' ') : String(value ?? '');
}

/** RFC 4180. Cells that a spreadsheet would evaluate as a formula get a leading apostrophe. */
function line(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map(row => [...row]),
    { record_delimiter: '\r\n', escape_formulas: true },
  );
}
