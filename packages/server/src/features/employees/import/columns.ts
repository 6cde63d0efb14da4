import { EmployeeCreate } from '@kontor/contract';
import { OperatorError } from '../../../lib/operator-error.ts';

export type ImportField = keyof EmployeeCreate;

const importFields = Object.keys(EmployeeCreate.properties) as ImportField[];

export interface ColumnOptions {
  /** The column that names the root division of each employee. */
  readonly divisionColumn: string | null;
  /** Column → field, where the names differ. */
  readonly map: ReadonlyMap<string, string>;
  readonly ignore: readonly string[];
}

export interface ColumnPlan {
  readonly header: readonly string[];
  readonly fields: readonly {
    readonly index: number;
    readonly column: string;
    readonly field: ImportField;
  }[];
  /** Index of the column that names divisions. */
  readonly division: number | null;
}

/**
 * Assigns the columns of the header to fields.
 * @throws OperatorError for a column that is unknown, missing or repeated, for two columns of one field, and without `email`
 */
export function planColumns(header: readonly string[], options: ColumnOptions): ColumnPlan {
  checkHeader(header);
  checkNamed(header, options);
  const fields = header.flatMap((column, index) => {
    const field = fieldOf(column, options);
    return field === null ? [] : [{ index, column, field }];
  });
  const division = options.divisionColumn === null ? null : header.indexOf(options.divisionColumn);
  checkUnknown(header, options);
  checkFields(fields, division);
  return { header, fields, division };
}

function checkHeader(header: readonly string[]): void {
  const repeated = header.filter((column, index) => header.indexOf(column) !== index);
  if (repeated.length > 0)
    throw new OperatorError(`the header has a column twice: ${list(new Set(repeated))}`);
  if (header.includes(''))
    throw new OperatorError(`column ${header.indexOf('') + 1} has no name in the header`);
  if (header.length === 1 && /[;\t]/.test(header[0]!))
    throw new OperatorError('the header has a single column; separate the columns by commas');
}

function checkNamed(header: readonly string[], { map, divisionColumn, ignore }: ColumnOptions): void {
  const named = [...map.keys(), ...(divisionColumn === null ? [] : [divisionColumn])];
  const missing = named.filter(column => !header.includes(column));
  if (missing.length > 0) throw new OperatorError(`the file has no column ${list(missing)}`);
  const both = named.filter(column => ignore.includes(column));
  if (both.length > 0) throw new OperatorError(`column ${list(both)} is both used and ignored`);
  const unknown = [...map.values()].filter(field => !isField(field));
  if (unknown.length > 0)
    throw new OperatorError(
      `there is no field ${list(unknown)}; a column can fill ${importFields.join(', ')}`,
    );
}

/** A column sets the field of its name, unless an option maps or ignores it. */
function fieldOf(column: string, { map, ignore }: ColumnOptions): ImportField | null {
  if (ignore.includes(column)) return null;
  const name = map.get(column) ?? column;
  return isField(name) ? name : null;
}

function checkUnknown(header: readonly string[], options: ColumnOptions): void {
  const unknown = header.filter(
    column =>
      fieldOf(column, options) === null &&
      column !== options.divisionColumn &&
      !options.ignore.includes(column),
  );
  if (unknown.length > 0)
    throw new OperatorError(
      `unknown column ${list(unknown)}: name the field with --map column=field, or leave it out with --ignore column`,
    );
}

function checkFields(fields: ColumnPlan['fields'], division: number | null): void {
  const names = fields.map(({ field }) => field);
  const repeated = fields.filter(({ field }, index) => names.indexOf(field) !== index);
  if (repeated.length > 0)
    throw new OperatorError(`two columns fill the field ${list(repeated.map(({ field }) => field))}`);
  if (!names.includes('email'))
    throw new OperatorError(
      'no column fills email, which every employee needs: name one with --map column=email',
    );
  if (division !== null && names.includes('divisionId'))
    throw new OperatorError(
      'both divisionId and --division-column name the division: ignore one of the columns',
    );
}

function isField(name: string): name is ImportField {
  return (importFields as string[]).includes(name);
}

function list(names: Iterable<string>): string {
  return [...names].map(name => JSON.stringify(name)).join(', ');
}
