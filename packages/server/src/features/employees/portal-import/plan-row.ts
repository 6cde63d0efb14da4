import {
  type Employee,
  EmployeeCreate,
  type EmployeeImportMapping,
  EmployeePatch,
  fold,
} from '@kontor/contract';
import { cleanText, type TableRecord } from '@kontor/tabular';
import { Compile } from 'typebox/compile';
import { firstCharacters } from '../../../imports/file.ts';
import { type Problem, problemOf } from '../../../imports/problems.ts';
import { originalCells } from '../../../imports/records.ts';
import { type CheckedRow, checkRow, isStored, placeOf } from '../import/check-row.ts';
import type { DivisionPaths } from '../import/divisions.ts';
import type { Cell, Cells, ImportField, Table, Value } from '../import/read-cells.ts';
import type { Holder } from '../store.ts';
import { otherKey } from './columns.ts';
import { type Key, keyOf, keyOfCell, type Repeated, textsOf } from './keys.ts';

export interface PlannedRow {
  readonly line: number;
  readonly kind: 'add' | 'change' | 'error' | 'unchanged' | 'question';
  readonly employee: Employee | null;
  readonly subject: Subject;
  readonly name: string | null;
  readonly changes: readonly { field: ImportField; before: Value; after: Value }[];
  /** The email of the file, if the employee has another one. It is applied only if a user answers so. */
  readonly emailChange: EmailChange | null;
  readonly problems: readonly Problem[];
  readonly notices: readonly Problem[];
  /** The cells of an error or a question, for the file in which they are corrected. */
  readonly cells: readonly string[] | null;
}

export interface EmailChange {
  readonly before: string;
  readonly after: string;
}

/** Values of the file by which a row tells its person, also where it matches nobody. */
interface Subject {
  readonly emailKey: string | null;
  readonly employeeNumber: string | null;
}

export interface RowContext {
  readonly table: Table;
  readonly matchBy: EmployeeImportMapping['matchBy'];
  readonly tenantId: string;
  readonly divisions: DivisionPaths;
  /** The employees with an email or number of the batch. */
  readonly holders: Holders;
  /** The employees of the tenant among them, by identifier. */
  readonly employees: ReadonlyMap<string, Employee>;
}

/** Emails are unique in the organization, numbers in the tenant. */
export class Holders {
  readonly #ids: Readonly<Record<Key, ReadonlyMap<string | null, string>>>;

  constructor(holders: readonly Holder[], tenantId: string) {
    const ofTenant = holders.filter(({ tenant, number }) => tenant === tenantId && number !== null);
    this.#ids = {
      email: new Map(holders.map(({ email, id }) => [email, id])),
      employeeNumber: new Map(ofTenant.map(({ number, id }) => [number, id])),
    };
  }

  /** The identifier of the employee with the value of a row. */
  find(cells: Cells, key: Key): string | undefined {
    return textsOf(cells, key)
      .map(text => this.#ids[key].get(text))
      .find(id => id !== undefined);
  }
}

const createContract = Compile(EmployeeCreate);
const patchContract = Compile(EmployeePatch);

/** Decides what a row would do, by the rules of a create and of an update. */
export function planRow(
  record: TableRecord,
  { cells, repeated }: { cells: Cells; repeated: Repeated },
  context: RowContext,
): PlannedRow {
  const employee = findEmployee(cells, context);
  const { table } = context;
  const checked = checkRow(employee === null ? cells : withoutEmail(cells), {
    ...context,
    employee,
    required: requiredFields(cells, context),
    contract: employee === null ? createContract : patchContract,
  });
  const ofKeys = keyProblems(cells, checked, { employee, repeated, context });
  const isTaken = ofKeys.some(({ field }) => field === 'email');
  const emailChange = isTaken ? null : findEmailChange(cells, employee);
  const questions = [
    ...reusedNumber(cells, employee, context),
    ...changedEmail(emailChange, context),
    ...checked.questions,
  ];
  const changes = (Object.entries(checked.values) as [ImportField, Value][]).map(([field, after]) => ({
    field,
    before: employee && employee[field],
    after,
  }));
  const problems = [...checked.problems, ...ofKeys];
  const kind = kindOf({ employee, changes, emailChange, problems, questions });
  return {
    line: cells.line,
    kind,
    employee,
    subject: subjectOf(record, cells, table),
    name: nameOf(employee, cells),
    changes: kind === 'error' ? [] : changes,
    emailChange: kind === 'error' ? null : emailChange,
    problems: kind === 'error' ? [...checked.problems, ...questions, ...ofKeys] : questions,
    notices: kind === 'error' ? [] : [...noticesOfEmail(cells, employee, context), ...checked.notices],
    cells: kind === 'error' || kind === 'question' ? originalCells(record, table.header.length) : null,
  };
}

/** The other changes of a row do not wait for the answer about its email. */
function kindOf({
  employee,
  changes,
  emailChange,
  problems,
  questions,
}: Pick<PlannedRow, 'employee' | 'changes' | 'emailChange' | 'problems'> & {
  questions: readonly Problem[];
}): PlannedRow['kind'] {
  if (problems.length > 0) return 'error';
  if (changes.length === 0) return emailChange === null ? 'unchanged' : 'question';
  if (questions.some(({ code }) => code !== 'changed_email')) return 'question';
  return employee === null ? 'add' : 'change';
}

/** By the key of the mapping, or by the other one where its cell is empty. */
function findEmployee(cells: Cells, { matchBy, holders, employees }: RowContext): Employee | null {
  const key = cells.cells.has(matchBy) ? matchBy : otherKey[matchBy];
  const id = holders.find(cells, key);
  return (id === undefined ? undefined : employees.get(id)) ?? null;
}

/** A new employee needs the fields of the contract. A row without both keys needs the one of the mapping. */
function requiredFields({ cells }: Cells, { matchBy }: RowContext): ImportField[] {
  const hasKey = cells.has(matchBy) || cells.has(otherKey[matchBy]);
  return [...new Set([...(hasKey ? [] : [matchBy]), ...(EmployeeCreate.required as ImportField[])])];
}

/** The cell of an email that differs from the stored one. Only a confirmed answer changes an email. */
function otherEmail({ cells }: Cells, employee: Employee | null): Cell | null {
  const cell = cells.get('email');
  return !employee || !cell || isStored(cell, employee.email) ? null : cell;
}

function withoutEmail(cells: Cells): Cells {
  return { ...cells, cells: new Map([...cells.cells].filter(([field]) => field !== 'email')) };
}

const emailContract = Compile(EmployeeCreate.properties.email);

function findEmailChange(cells: Cells, employee: Employee | null): EmailChange | null {
  const cell = otherEmail(cells, employee);
  if (employee === null || cell === null || cell.problem || !emailContract.Check(cell.value)) return null;
  return { before: employee.email, after: cell.value };
}

function changedEmail(change: EmailChange | null, { table }: RowContext): Problem[] {
  if (change === null) return [];
  const { before: suggestion, after: found } = change;
  return [problemOf('changed_email', { ...placeOf('email', table), found, suggestion })];
}

/** An email that is none. */
function noticesOfEmail(cells: Cells, employee: Employee | null, { table }: RowContext): Problem[] {
  const cell = otherEmail(cells, employee);
  if (cell === null || findEmailChange(cells, employee) !== null) return [];
  return [cell.problem ?? problemOf('invalid', { ...placeOf('email', table), found: cell.text })];
}

/** A number that another person had before. A marriage changes the email and the last name, but not the first one. */
function reusedNumber(cells: Cells, employee: Employee | null, { table }: RowContext): Problem[] {
  const email = otherEmail(cells, employee);
  if (!employee || !email || email.problem || !hasOtherName(cells, employee)) return [];
  const found = cells.cells.get('employeeNumber')?.text ?? null;
  return [problemOf('number_reused', { ...placeOf('employeeNumber', table), found })];
}

/** Whether a row has another first name than the employee; without a first name, another last name. */
function hasOtherName({ cells }: Cells, employee: Employee): boolean {
  for (const field of ['firstName', 'lastName'] as const) {
    const value = cells.get(field)?.value;
    const stored = employee[field];
    if (typeof value === 'string' && stored !== null) return firstWord(value) !== firstWord(stored);
  }
  return false;
}

const firstWord = (name: string) => fold(cleanText(name)).split(/[\s-]/, 1)[0];

function subjectOf({ cells: all }: TableRecord, cells: Cells, { columns }: Table): Subject {
  const valueOf = (key: Key) => {
    const column = columns.find(({ field }) => field === key)?.column ?? all.length;
    // Also of a record that cannot be read.
    return keyOf(cells, key) ?? keyOfCell(all[column] ?? '', key);
  };
  return { emailKey: valueOf('email'), employeeNumber: valueOf('employeeNumber') };
}

function nameOf(employee: Employee | null, { cells }: Cells): string | null {
  const valueOf = (field: ImportField) => cells.get(field)?.value;
  const parts = [employee?.firstName ?? valueOf('firstName'), employee?.lastName ?? valueOf('lastName')];
  const name = parts.filter(part => typeof part === 'string' && part !== '').join(' ');
  const shown = name || (valueOf('email') ?? valueOf('employeeNumber'));
  return typeof shown === 'string' ? firstCharacters(shown) : null;
}

/** Values that other rows of the file, or other employees, have. */
function keyProblems(
  cells: Cells,
  { problems }: CheckedRow,
  { employee, repeated, context }: { employee: Employee | null; repeated: Repeated; context: RowContext },
): Problem[] {
  return (['email', 'employeeNumber'] as const).flatMap(key => {
    // One problem of a value is enough.
    const found = keyOf(cells, key);
    if (found === null || problems.some(({ field }) => field === key)) return [];
    const place = { ...placeOf(key, context.table), found: String(cells.cells.get(key)!.value) };
    if (repeated[key] > 0) return [problemOf('repeated', { ...place, limit: repeated[key] })];
    const holder = context.holders.find(cells, key);
    return holder === undefined || holder === employee?.id ? [] : [problemOf('taken', place)];
  });
}
