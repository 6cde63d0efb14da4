import {
  type Employee,
  EmployeeCreate,
  type EmployeeImportMapping,
  type EmployeeImportProblem,
  EmployeePatch,
} from '@kontor/contract';
import { type Fault, maxCharacters, type TableRecord } from '@kontor/tabular';
import { Compile } from 'typebox/compile';
import { changedFields } from '../../../lib/changed-fields.ts';
import { emailKey } from '../../../lib/email-key.ts';
import { valueOf, violationsIn } from '../import/rows.ts';
import type { Holder } from '../store.ts';
import type { DivisionPaths } from './divisions.ts';
import { firstCharacters, textOf } from './file.ts';
import { keyOf, type Repeated } from './repeated.ts';

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
  /** The employees with an email or number of the batch. */
  readonly holders: Holders;
  /** The employees of the tenant among them, by identifier. */
  readonly employees: ReadonlyMap<string, Employee>;
}

/** Emails are unique in the organization, numbers in the tenant. */
export class Holders {
  readonly #ids: Readonly<Record<'email' | 'employeeNumber', ReadonlyMap<string | null, string>>>;

  constructor(holders: readonly Holder[], tenantId: string) {
    this.#ids = {
      email: new Map(holders.map(({ email, id }) => [email, id])),
      employeeNumber: new Map(
        holders.filter(({ tenant }) => tenant === tenantId).map(({ number, id }) => [number, id]),
      ),
    };
  }

  /** The identifier of the employee with the value of a row. */
  find(cells: Pick<Cells, 'values'>, field: 'email' | 'employeeNumber'): string | undefined {
    const key = keyOf(cells, field);
    return key === null ? undefined : this.#ids[field].get(key);
  }
}

function problem(
  code: EmployeeImportProblem['code'],
  { column = null, field = null, value = null, limit = null }: Partial<EmployeeImportProblem> = {},
): EmployeeImportProblem {
  return { code, column, field, value: value === null ? null : firstCharacters(value), limit };
}

/** Reads the cells of a record. An empty cell has no value, unless its column clears. */
export function readCells(
  { line, text, cells, faults }: TableRecord,
  { header, mapping }: Pick<RowContext, 'header' | 'mapping'>,
): Cells {
  if (text.includes('\0')) return { line, values: {}, problems: [problem('nul')] };
  const fault = faults[0]?.code ?? (cells.length === header.length ? null : 'too_many_cells');
  if (fault !== null) return { line, values: {}, problems: [problemOfFault(fault, header)] };
  const values: Partial<Record<Field, Value>> = {};
  for (const { column, field, emptyClears } of mapping.columns) {
    const cell = textOf(cells[column]!);
    if (cell !== '') values[field] = valueOf(field, cell);
    else if (emptyClears) values[field] = null;
  }
  return { line, values, problems: [] };
}

function problemOfFault(code: Fault['code'], header: readonly string[]): EmployeeImportProblem {
  if (code === 'too_many_cells') return problem('cell_count', { limit: header.length });
  return code === 'too_many_characters' ? problem('too_long', { limit: maxCharacters }) : problem('quote');
}

const createContract = Compile(EmployeeCreate);
const patchContract = Compile(EmployeePatch);

/** Decides what a row would do, by the rules of a create and of an update. */
export function planRow(cells: Cells, repeated: Repeated, context: RowContext): PlannedRow {
  const { line, values } = cells;
  const employee = findEmployee(cells, context);
  const name = nameOf(employee, values);
  const none = { line, employee, subject: subjectOf(cells), name, changes: [], problems: [] };
  const { patch, unknown } = resolveDivision(values, context);
  const problems = [
    ...cells.problems,
    ...(cells.problems.length > 0 ? [] : problemsOf(patch, employee, repeated, context)),
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

function subjectOf(cells: Cells): Subject {
  return { emailKey: keyOf(cells, 'email'), employeeNumber: keyOf(cells, 'employeeNumber') };
}

const entriesOf = (values: Values) => Object.entries(values) as [Field, Value][];

function findEmployee(cells: Cells, { mapping, holders, employees }: RowContext): Employee | null {
  const id = holders.find(cells, mapping.matchBy);
  return (id === undefined ? undefined : employees.get(id)) ?? null;
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
  repeated: Repeated,
  { header, mapping, holders }: RowContext,
): EmployeeImportProblem[] {
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
  for (const field of ['email', 'employeeNumber'] as const) {
    // One problem of a value is enough.
    if (typeof patch[field] !== 'string' || found.some(each => each.field === field)) continue;
    const holder = holders.find({ values: patch }, field);
    if (repeated[field] > 0) found.push(at(field, 'repeated', repeated[field]));
    else if (holder !== undefined && holder !== employee?.id) found.push(at(field, 'taken'));
    else if (field === 'email' && employee !== null && !isSameEmail(patch, employee))
      found.push(at(field, 'not_editable'));
  }
  return found;
}

function isSameEmail({ email }: Values, employee: Employee): boolean {
  return emailKey(email as string) === emailKey(employee.email);
}
