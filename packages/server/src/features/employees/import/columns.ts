import { EmployeeCreate } from '@kontor/contract';

export type ImportField = keyof EmployeeCreate;

/** The fields that a column can fill. */
const importFields = Object.keys(EmployeeCreate.properties) as ImportField[];

/** What the operator says of the columns, by their names in the header. */
export interface ColumnOptions {
  /** The column that names the root division of each employee. */
  readonly divisionColumn: string | null;
  /** Column → field, where the names differ. */
  readonly map: ReadonlyMap<string, string>;
  readonly ignore: readonly string[];
}

/** Which column goes where. */
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
 * Decides what each column of the header is for.
 * @throws {@link ImportError} that names the columns where one is unknown, named twice or missing, where two fill one
 * field, and where nothing fills `email`
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
  if (repeated.length > 0) throw new ImportError(`the header has a column twice: ${list(new Set(repeated))}`);
  if (header.includes(''))
    throw new ImportError(`column ${header.indexOf('') + 1} has no name in the header`);
  if (header.length === 1 && /[;\t]/.test(header[0]!))
    throw new ImportError('the header has a single column; separate the columns by commas');
}

function checkNamed(header: readonly string[], { map, divisionColumn, ignore }: ColumnOptions): void {
  const named = [...map.keys(), ...(divisionColumn === null ? [] : [divisionColumn])];
  const missing = named.filter(column => !header.includes(column));
  if (missing.length > 0) throw new ImportError(`the file has no column ${list(missing)}`);
  const both = named.filter(column => ignore.includes(column));
  if (both.length > 0) throw new ImportError(`column ${list(both)} is both used and ignored`);
  const unknown = [...map.values()].filter(field => !isField(field));
  if (unknown.length > 0)
    throw new ImportError(`there is no field ${list(unknown)}; a column can fill ${importFields.join(', ')}`);
}

/** A column of the name of a field fills it, unless the operator says otherwise. */
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
    throw new ImportError(
      `unknown column ${list(unknown)}: name the field with --map column=field, or leave it out with --ignore column`,
    );
}

function checkFields(fields: ColumnPlan['fields'], division: number | null): void {
  const names = fields.map(({ field }) => field);
  const repeated = fields.filter(({ field }, index) => names.indexOf(field) !== index);
  if (repeated.length > 0)
    throw new ImportError(`two columns fill the field ${list(repeated.map(({ field }) => field))}`);
  if (!names.includes('email'))
    throw new ImportError(
      'no column fills email, which every employee needs: name one with --map column=email',
    );
  if (division !== null && names.includes('divisionId'))
    throw new ImportError(
      'both divisionId and --division-column name the division: ignore one of the columns',
    );
}

function isField(name: string): name is ImportField {
  return (importFields as string[]).includes(name);
}

function list(names: Iterable<string>): string {
  return [...names].map(name => JSON.stringify(name)).join(', ');
}

/** The file as a whole cannot be imported. The message is one line for the operator: what is wrong, where, what to do. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
