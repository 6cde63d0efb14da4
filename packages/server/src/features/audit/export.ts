import type { Readable } from 'node:stream';
import { AuditEntry } from '@kontor/contract';
import { csvFile, rowFile } from '../../lib/row-file.ts';

export type AuditFormat = 'jsonl' | 'csv';

export const auditMediaTypes = {
  jsonl: 'application/x-ndjson',
  csv: 'text/csv',
} as const satisfies Record<AuditFormat, string>;

const auditColumns = Object.keys(AuditEntry.properties) as (keyof AuditEntry)[];

/** @throws errors of reading the first slice */
export function auditFile(
  slices: AsyncGenerator<readonly AuditEntry[]>,
  format: AuditFormat,
): Promise<Readable> {
  return format === 'csv' ? csvFile(slices, auditColumns, 'program') : rowFile(slices, jsonLinesOf);
}

function jsonLinesOf(entries: readonly AuditEntry[]): string {
  return entries.map(entry => `${JSON.stringify(entry)}\n`).join('');
}
