import { findHeader, labelColumns } from '@kontor/tabular';
import { OperatorError } from '../../../lib/operator-error.ts';
import { columnNames } from '../known-columns.ts';
import { type ImportField, importFields, type Table } from './read-cells.ts';

export interface ColumnOptions {
  /** The row with the names, counted from 1; null: it is found by the names. */
  readonly headerRow: number | null;
  /** The column that names the root division of each employee. */
  readonly divisionColumn: string | null;
  /** Column → field, where the names differ. */
  readonly map: ReadonlyMap<string, string>;
  readonly ignore: readonly string[];
}

export interface ColumnPlan {
  readonly table: Table;
  /** The row with the names, counted from 1. */
  readonly headerRow: number;
  /** Index of the column that names divisions. */
  readonly division: number | null;
}

/**
 * Assigns the columns of the header to fields. A name that occurs twice has a number: `Phone (2)`.
 * @throws OperatorError for a column that is unknown or missing, for two columns of one field, and without `email`
 */
export function planColumns(head: readonly (readonly string[])[], options: ColumnOptions): ColumnPlan {
  const headerRow = options.headerRow ?? findHeaderRow(head, options);
  const names = head[headerRow - 1];
  if (names === undefined) throw new OperatorError(`the file has no row ${headerRow} among its first rows`);
  const header = labelColumns(names);
  checkNamed(header, options);
  const columns = assignFields(header, options);
  const division = options.divisionColumn === null ? null : header.indexOf(options.divisionColumn);
  checkFields(header, columns, division);
  return { table: { header, columns }, headerRow, division };
}

/** A name of an option is a known one of this file. */
function findHeaderRow(head: readonly (readonly string[])[], options: ColumnOptions): number {
  const named = (field: ImportField) =>
    [...options.map].filter(([, to]) => to === field).map(([name]) => name);
  return (findHeader(head, columnNames(named)) ?? 0) + 1;
}

function assignFields(header: readonly string[], options: ColumnOptions): Table['columns'] {
  const { map, ignore, divisionColumn } = options;
  const mapped = header.map(name => map.get(name) as ImportField | undefined);
  const isLeftOut = (name: string) => name === '' || name === divisionColumn || isNamed(name, ignore);
  const others = header.map((name, index) => (isLeftOut(name) || mapped[index] ? '' : name));
  const matches = columnNames().propose(others);
  const unknown = others.flatMap((name, column) => (name === '' || matches[column]?.isExact ? [] : [column]));
  if (unknown.length > 0)
    throw unknownColumns(unknown.map(column => [header[column]!, matches[column]?.field]));
  return header.flatMap((_, column) => {
    const field = mapped[column] ?? matches[column]?.field;
    return field === undefined ? [] : [{ column, field, emptyClears: false }];
  });
}

/** Whether a list has the name of a column, or of all columns of this name. */
function isNamed(label: string, names: readonly string[]): boolean {
  return names.some(
    name => name === label || (label.startsWith(`${name} (`) && /^ \(\d+\)$/.test(label.slice(name.length))),
  );
}

function unknownColumns(columns: readonly (readonly [string, ImportField | undefined])[]): OperatorError {
  const described = columns.map(([name, field]) => list([name]) + (field ? ` (probably ${field})` : ''));
  return new OperatorError(
    `unknown column ${described.join(', ')}: name the field with --map column=field, or leave it out with --ignore column`,
  );
}

function checkNamed(header: readonly string[], { map, divisionColumn, ignore }: ColumnOptions): void {
  const named = [...map.keys(), ...(divisionColumn === null ? [] : [divisionColumn])];
  const missing = named.filter(column => !header.includes(column));
  if (missing.length > 0) throw new OperatorError(`the file has no column ${list(missing)}`);
  const both = named.filter(column => ignore.includes(column));
  if (both.length > 0) throw new OperatorError(`column ${list(both)} is both used and ignored`);
  const unknown = [...map.values()].filter(field => !(importFields as string[]).includes(field));
  if (unknown.length > 0)
    throw new OperatorError(
      `there is no field ${list(unknown)}; a column can fill ${importFields.join(', ')}`,
    );
}

function checkFields(header: readonly string[], columns: Table['columns'], division: number | null): void {
  const fields = columns.map(({ field }) => field);
  const repeated = columns.filter(({ field }, index) => fields.indexOf(field) !== index);
  if (repeated.length > 0)
    throw new OperatorError(
      `two columns fill the field ${list(repeated.map(({ field }) => field))}: leave out ${list(repeated.map(({ column }) => header[column]!))} with --ignore`,
    );
  if (!fields.includes('email'))
    throw new OperatorError(
      'no column fills email, which every employee needs: name one with --map column=email, or the row of names with --header-row',
    );
  if (division !== null && fields.includes('divisionId'))
    throw new OperatorError(
      'both divisionId and --division-column name the division: ignore one of the columns',
    );
}

function list(names: Iterable<string>): string {
  return [...names].map(name => JSON.stringify(name)).join(', ');
}
