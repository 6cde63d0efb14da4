import type { Route } from '../../api/ask.ts';
import type { Column, FileColumn } from './data-table.tsx';

export type ExportRoute = Extract<Route, `POST /${string}/export`> &
  (
    | 'POST /api-keys/export'
    | 'POST /audit-entries/export'
    | 'POST /employees/export'
    | 'POST /incidents/export'
    | 'POST /orders/export'
    | 'POST /tenants/export'
    | 'POST /users/export'
  );

/** Lists of HR are narrowed by a header, as in the public API. */
export const ofHr: ReadonlySet<ExportRoute> = new Set([
  'POST /employees/export',
  'POST /incidents/export',
  'POST /orders/export',
]);

/** The columns of the page as those of a file, followed by more of what the page of a row shows. */
export function columnsOfFile(columns: readonly Column<never>[], more: readonly FileColumn[]) {
  const shown = columns.flatMap(({ field, label, words, file }): readonly FileColumn[] => {
    if (file !== undefined) return file;
    return field === undefined ? [] : [{ field, label, ...(words && { words }) }];
  });
  return [...shown, ...more].map(({ field, label, words }) => ({
    field,
    label,
    ...(words && { values: Object.entries(words).map(([value, words]) => ({ value, words })) }),
  }));
}

/** Language and time zone of the page. */
export function formOfFile(locale: string) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { language: locale === 'de' ? ('de' as const) : ('en' as const), timeZone };
}
