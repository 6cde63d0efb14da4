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

/** Most words that the service accepts. */
const wordsMaximum = 2000;

/** The columns of a file: those of the page first, then more fields of a row. Words replace their values. */
export function contentOfFile(columns: readonly Column<never>[], more: readonly FileColumn[]) {
  const shown = columns.flatMap(({ field, label, words, file }): readonly FileColumn[] => {
    if (file !== undefined) return file;
    return field === undefined ? [] : [{ field, label, ...(words && { words }) }];
  });
  const all = [...shown, ...more];
  // An organization can have very many companies, so the longest list of words is cut.
  const words = all
    .map(({ field, words = {} }) => Object.entries(words).map(([value, words]) => ({ field, value, words })))
    .toSorted((one, other) => one.length - other.length)
    .flat();
  return { columns: all.map(({ field, label }) => ({ field, label })), words: words.slice(0, wordsMaximum) };
}

/** Language and time zone of the page. */
export function formOfFile(locale: string) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { language: locale === 'de' ? ('de' as const) : ('en' as const), timeZone };
}
