import { Readable } from 'node:stream';
import { AuditEntry } from '@kontor/contract';
import { stringify } from 'csv-stringify/sync';

/** In what form entries of the audit go out as a file. */
export type AuditFormat = 'jsonl' | 'csv';

/** The media type of each. */
export const auditMediaTypes = {
  jsonl: 'application/x-ndjson',
  csv: 'text/csv',
} as const satisfies Record<AuditFormat, string>;

/**
 * The bytes of entries as a file, a piece for each slice, made as they are read; so no more than a slice is in memory. The first slice is
 * read before this resolves: what is wrong with the request shows then.
 * @throws those of reading the first slice.
 */
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

/** RFC 4180. A cell that a spreadsheet would take for a formula gets an apostrophe in front of it. */
function line(rows: readonly (readonly string[])[]): string {
  return stringify(
    rows.map(row => [...row]),
    { record_delimiter: '\r\n', escape_formulas: true },
  );
}
