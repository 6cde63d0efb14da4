import type { ListExport } from '@kontor/contract';

/** The body of an export of these fields, each under its own name. */
export function exportOf(fields: readonly string[], more: Partial<ListExport> = {}): ListExport {
  const columns = fields.map(field => ({ field, label: field }));
  return { columns, language: 'de', timeZone: 'Europe/Berlin', ...more };
}
