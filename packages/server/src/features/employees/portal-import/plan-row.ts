import {
  type Employee,
  EmployeeCreate,
  type EmployeeImportMapping,
  type EmployeeImportProblem,
  EmployeePatch,
} from '@kontor/contract';
import { Compile } from 'typebox/compile';
import { changedFields } from '../../../lib/changed-fields.ts';
import { emailKey } from '../../../lib/email-key.ts';
import type { CsvRecord } from '../import/csv.ts';
import { valueOf, violationsIn } from '../import/rows.ts';
import type { Holder } from '../store.ts';
import type { DivisionPaths } from './divisions.ts';
import { firstCharacters, textOf } from './file.ts';

/** The cells of a record: values by field. A null value clears the field. */
export interface Cells {
  readonly line: number;
  readonly values: Readonly<Partial<Record<Field, string | boolean | null>>>;
  readonly problems: readonly EmployeeImportProblem[];
}

type Field = EmployeeImportMapping['columns'][number]['field'];
type Value = string | boolean | null;

export interface PlannedRow {
  readonly line: number;
  readonly kind: 'add' | 'change' | 'error' | 'unchanged';
  readonly employee: Employee | null;
  readonly subject: Subject;
  readonly name: string | null;
  readonly changes: readonly { field: Field; before: Value; after: Value }[];
  readonly problems: readonly EmployeeImportProblem[];
}

/** Values of the file by which a row tells its person, also where it matches nobody. */
export interface Subject {
  readonly emailKey: string | null;
  readonly employeeNumber: string | null;
}

export interface RowContext {
  readonly header: readonly string[];
  readonly mapping: EmployeeImportMapping;
  readonly tenantId: string;
  readonly divisions: DivisionPaths;
  /** The lines of each email and number that the file has several times. */
  readonly repeated: ReadonlyMap<string, readonly number[]>;
  /** The employees with an email or a number of the batch, in all tenants. */
  readonly holders: readonly Holder[];
  /** Those of the tenant, by identifier. */
  readonly employees: ReadonlyMap<string, Employee>;
}

function problem(
  code: EmployeeImportProblem['code'],
  { column = null, field = null, value = null, limit = null }: Partial<EmployeeImportProblem> = {},
): EmployeeImportProblem {
  return { code, column, field, value: value === null ? null : firstCharacters(value), limit };
}

/** Reads the cells of a record. An empty cell has no value, unless its column clears. */
export function readCells(
  { line, text, cells }: CsvRecord,
  { header, mapping }: Pick<RowContext, 'header' | 'mapping'>,
): Cells {
  if (text.includes('\0')) return { line, values: {}, problems: [problem('nul')] };
  if (cells === null) return { line, values: {}, problems: [problem('quote')] };
  if (cells.length !== header.length)
    return { line, values: {}, problems: [problem('cell_count', { limit: header.length })] };
  const values: Partial<Record<Field, Value>> = {};
  for (const { column, field, emptyClears } of mapping.columns) {
    const cell = textOf(cells[column]!);
    if (cell !== '') values[field] = valueOf(field, cell);
    else if (emptyClears) values[field] = null;
  }
  return { line, values, problems: [] };
}

/** The values of a row that must be unique, as the file and the stored rows compare them. */
export function keysOf({ values: { email, employeeNumber } }: Cells): string[] {
  return [
    ...(typeof email === 'string' ? [`email ${emailKey(email)}`] : []),
    ...(typeof employeeNumber === 'string' ? [`employeeNumber ${employeeNumber}`] : []),
  ];
}

const createContract = Compile(EmployeeCreate);
const patchContract = Compile(EmployeePatch);

/** Decides what a row would do, by the rules of a create and of an update. */
export function planRow(cells: Cells, context: RowContext): PlannedRow {
  const { line, values } = cells;
  const employee = findEmployee(cells, context);
  const name = nameOf(employee, values);
  const none = { line, employee, subject: subjectOf(values), name, changes: [], problems: [] };
  const { patch, unknown } = resolveDivision(values, context);
  const problems = [
    ...cells.problems,
    ...(cells.problems.length > 0 ? [] : problemsOf(patch, employee, line, context)),
    ...unknown,
  ];
  if (problems.length > 0) return { ...none, kind: 'error', problems };
  if (employee === null) {
    const changes = entriesOf(patch).map(([field, after]) => ({ field, before: null, after }));
    return { ...none, kind: 'add', changes };
  }
  const { email: _email, ...editable } = patch;
  const changes = changedFields(employee, editable as Partial<Employee>).map(field => ({
    field: field as Field,
    before: employee[field],
    after: editable[field as keyof typeof editable] as Value,
  }));
  return changes.length === 0 ? { ...none, kind: 'unchanged' } : { ...none, kind: 'change', changes };
}

type Values = Partial<Record<Field, Value>>;

/** Characters of the longest email. No employee has a longer one, and an index takes no text of any length. */
const maxSubjectLength = 254;

function subjectOf({ email, employeeNumber }: Values): Subject {
  const isUsable = (value: Value | undefined): value is string =>
    typeof value === 'string' && value.length <= maxSubjectLength;
  return {
    emailKey: isUsable(email) ? emailKey(email) : null,
    employeeNumber: isUsable(employeeNumber) ? employeeNumber : null,
  };
}

const entriesOf = (values: Values) => Object.entries(values) as [Field, Value][];

function findEmployee({ values }: Cells, { mapping, holders, employees, tenantId }: RowContext) {
  const key = values[mapping.matchBy];
  if (typeof key !== 'string') return null;
  const holder = holders.find(({ tenant, email, number }) =>
    mapping.matchBy === 'email' ? email === emailKey(key) : number === key && tenant === tenantId,
  );
  return (holder && employees.get(holder.id)) ?? null;
}

function nameOf(employee: Employee | null, values: Values): string | null {
  const { firstName = values.firstName, lastName = values.lastName } = employee ?? {};
  const name = [firstName, lastName].filter(part => typeof part === 'string' && part !== '').join(' ');
  const shown = name || (values.email ?? values.employeeNumber);
  return typeof shown === 'string' ? firstCharacters(shown) : null;
}

/** Replaces a path of a division by its identifier. */
function resolveDivision(
  values: Values,
  { divisions, header, mapping }: RowContext,
): { patch: Values; unknown: EmployeeImportProblem[] } {
  const { divisionId: value } = values;
  if (typeof value !== 'string') return { patch: values, unknown: [] };
  const found = divisions.find(value);
  if (found.length === 1) return { patch: { ...values, divisionId: found[0]! }, unknown: [] };
  const { divisionId: _unknown, ...patch } = values;
  const code = found.length === 0 ? 'unknown_division' : 'ambiguous_division';
  return { patch, unknown: [problem(code, { ...cellOf('divisionId', header, mapping), value })] };
}

function cellOf(field: Field, header: readonly string[], { columns }: EmployeeImportMapping) {
  const column = columns.find(each => each.field === field);
  return { field, column: column ? header[column.column]! : null };
}

function problemsOf(
  patch: Values,
  employee: Employee | null,
  line: number,
  context: RowContext,
): EmployeeImportProblem[] {
  const { header, mapping, repeated } = context;
  const at = (field: Field, code: EmployeeImportProblem['code'], limit: number | null = null) => {
    const value = patch[field];
    const text = value === undefined || value === null ? null : String(value);
    return problem(code, { ...cellOf(field, header, mapping), value: text, limit });
  };
  const needed = new Set([...(employee === null ? EmployeeCreate.required : []), mapping.matchBy] as Field[]);
  const lacking = [...needed].filter(field => patch[field] === undefined || patch[field] === null);
  const found = lacking.map(field => at(field, 'missing'));
  const { email: _email, ...editable } = patch;
  const violations = violationsIn(
    employee === null ? createContract : patchContract,
    employee === null ? patch : editable,
  );
  for (const [field, { code, limit }] of violations)
    if (!lacking.includes(field as Field)) found.push(at(field as Field, code, limit));
  for (const key of keysOf({ line, values: patch, problems: [] })) {
    const field = key.slice(0, key.indexOf(' ')) as Field;
    // One problem of a value is enough.
    if (found.some(each => each.field === field)) continue;
    const other = repeated.get(key)?.find(each => each !== line);
    if (other !== undefined) found.push(at(field, 'repeated', other));
    else if (isTaken(field, patch, employee, context)) found.push(at(field, 'taken'));
    else if (field === 'email' && employee !== null && !isSameEmail(patch, employee))
      found.push(at(field, 'not_editable'));
  }
  return found;
}

function isSameEmail({ email }: Values, employee: Employee): boolean {
  return emailKey(email as string) === emailKey(employee.email);
}

/** Emails are unique in the organization, numbers in the tenant. */
function isTaken(
  field: Field,
  patch: Values,
  employee: Employee | null,
  { holders, tenantId }: RowContext,
): boolean {
  return holders.some(
    ({ id, tenant, email, number }) =>
      id !== employee?.id &&
      (field === 'email'
        ? email === emailKey(patch.email as string)
        : number === patch.employeeNumber && tenant === tenantId),
  );
}
