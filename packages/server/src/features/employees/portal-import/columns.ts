import {
  clearableFields,
  EmployeeCreate,
  type EmployeeImportDetails,
  type EmployeeImportFailure,
  employeeImportFields,
  type EmployeeImportMapping,
  importColumnsMaximum,
  importRowsMaximum,
  unprocessable,
} from '@kontor/contract';
import { findHeader, isEmailAddress, labelColumns } from '@kontor/tabular';
import { failureOf, type Filled, hasText, type Head } from '../../../imports/file.ts';
import { columnNames } from '../known-columns.ts';

/** A mapping by the names of columns, as it is saved for the next file of a tenant. */
export interface SavedMapping {
  readonly matchBy: EmployeeImportMapping['matchBy'];
  /** All columns of the file. A null field is not imported. */
  readonly columns: readonly {
    readonly name: string;
    readonly field: Field | null;
    readonly emptyClears: boolean;
  }[];
}

type Field = (typeof employeeImportFields)[number];
type HeaderRow = EmployeeImportMapping['headerRow'];

const required = EmployeeCreate.required as readonly Field[];

export const importFields: EmployeeImportDetails['fields'] = employeeImportFields.map(field => ({
  field,
  isRequired: required.includes(field),
  isClearable: clearableFields.includes(field),
}));

/** The fields that a new employee needs and no column fills. */
export function missingFields({ columns }: EmployeeImportMapping): Field[] {
  return required.filter(field => !columns.some(column => column.field === field));
}

/** The known names of columns, and those of the tenant's last file. */
function namesOf(saved: SavedMapping | null) {
  const used = saved?.columns ?? [];
  return columnNames(field => used.filter(column => column.field === field).map(({ name }) => name));
}

/** The row with the names of the columns, counted from 1; null if no row has known ones. */
export function findHeaderRow(head: Head, saved: SavedMapping | null): HeaderRow {
  const found = findHeader(
    head.map(({ cells }) => cells),
    namesOf(saved),
  );
  return found === null ? null : found + 1;
}

/** The names of the columns, told apart; empty ones without a header. */
export function headerOf(head: Head, headerRow: HeaderRow): string[] {
  if (headerRow !== null) return labelColumns(head[headerRow - 1]?.cells ?? []);
  return Array.from({ length: Math.max(0, ...head.map(({ cells }) => cells.length)) }, () => '');
}

/** A mapping for a file, and for each column whether its name is a known one of its field. */
export interface Proposal {
  readonly mapping: EmployeeImportMapping;
  readonly isExact: readonly (boolean | null)[];
}

/** Proposes a mapping: what the tenant used last for a column of this name, else what the name says. A field has at most one column. */
export function proposeMapping(
  { head, filled }: { head: Head; filled: Filled | null },
  saved: SavedMapping | null,
  headerRow: HeaderRow = findHeaderRow(head, saved),
): Proposal {
  const header = headerOf(head, headerRow);
  const last = header.map(name =>
    name === '' ? undefined : saved?.columns.find(column => column.name === name),
  );
  const used = new Set(last.map(column => column?.field));
  const guesses = columnNames().propose(header.map((name, column) => (last[column] ? '' : name)));
  const columns = header.flatMap((_, column) => {
    const field = last[column] ? last[column].field : guesses[column]?.field;
    if (!field || (!last[column] && used.has(field))) return [];
    return [{ column, field, emptyClears: last[column]?.emptyClears ?? false }];
  });
  const matchBy = proposeKey(columns, { head, filled, headerRow }, saved?.matchBy ?? 'employeeNumber');
  const exactness = new Map(
    columns.map(({ column }) => [column, last[column] !== undefined || guesses[column]!.isExact]),
  );
  return {
    mapping: { headerRow, matchBy, columns },
    isExact: header.map((_, column) => exactness.get(column) ?? null),
  };
}

/** The key that every row has, else the one that more rows have. Where both are equal, `preferred` is taken. */
function proposeKey(
  columns: EmployeeImportMapping['columns'],
  { head, filled, headerRow }: { head: Head; filled: Filled | null; headerRow: HeaderRow },
  preferred: EmployeeImportMapping['matchBy'],
): EmployeeImportMapping['matchBy'] {
  const above = head.slice(0, headerRow ?? 0);
  const count = (key: EmployeeImportMapping['matchBy']) => {
    const column = columns.find(({ field }) => field === key)?.column;
    if (column === undefined) return -1;
    return (filled?.cells[column] ?? 0) - above.filter(({ cells }) => hasText(cells[column] ?? '')).length;
  };
  const other = otherKey[preferred];
  return count(other) > count(preferred) ? other : preferred;
}

export const otherKey = { employeeNumber: 'email', email: 'employeeNumber' } as const;

export function savedMapping(
  header: readonly string[],
  { matchBy, columns }: EmployeeImportMapping,
): SavedMapping {
  const byColumn = new Map(columns.map(({ column, ...rest }) => [column, rest]));
  return {
    matchBy,
    columns: header.flatMap((name, column) =>
      name === '' ? [] : [{ name, ...(byColumn.get(column) ?? { field: null, emptyClears: false }) }],
    ),
  };
}

/** Why a file cannot be imported by its number of columns and rows. */
export function failureOfSize(
  head: Head,
  { rows }: Filled,
  headerRow: HeaderRow,
): EmployeeImportFailure | null {
  if (headerOf(head, headerRow).length > importColumnsMaximum) return failureOf('too_many_columns');
  const below = rows - (headerRow ?? 0);
  if (below > importRowsMaximum) return failureOf('too_many_rows');
  return below > 0 ? null : failureOf('no_rows');
}

/** @throws ApiError 422 VALIDATION_ERROR that names the column or field */
export function checkMapping(head: Head, { headerRow, matchBy, columns }: EmployeeImportMapping): void {
  if (headerRow !== null && headerRow > head.length)
    throw unprocessable(`headerRow: the file has only ${head.length} rows; choose one of them`);
  const header = headerOf(head, headerRow);
  if (header.some(isEmailAddress))
    throw unprocessable('headerRow: the row contains an email address, so it is a person and not a header');
  const unknown = columns.find(({ column }) => column >= header.length);
  if (unknown) throw unprocessable(`columns: the file has no column ${unknown.column}`);
  const repeated = columns.find(
    (one, index) =>
      columns.findIndex(({ column, field }) => column === one.column || field === one.field) < index,
  );
  if (repeated) throw unprocessable(`columns: name each column and each field once, also ${repeated.field}`);
  if (!columns.some(({ field }) => field === matchBy))
    throw unprocessable(`columns: a column must fill ${matchBy}, which matches the rows`);
  const fixed = columns.find(
    ({ field, emptyClears }) => emptyClears && (field === matchBy || !clearableFields.includes(field)),
  );
  if (fixed) throw unprocessable(`columns: an empty cell cannot clear ${fixed.field}; leave emptyClears off`);
}
