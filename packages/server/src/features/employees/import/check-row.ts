import { type Employee, EmployeeCreate } from '@kontor/contract';
import { cleanText, withoutFormulaMark } from '@kontor/tabular';
import type { Validator } from 'typebox/compile';
import { isDamage, type Problem, problemOf } from '../../../imports/problems.ts';
import { emailKey } from '../../../lib/email-key.ts';
import type { DivisionPaths } from './divisions.ts';
import type { Cell, Cells, ImportField, Table, Value } from './read-cells.ts';

export interface RowRules {
  readonly table: Table;
  /** The employee of the row; null for a new one. */
  readonly employee: Employee | null;
  /** Fields that a new employee must have. */
  readonly required: readonly ImportField[];
  readonly contract: Pick<Validator, 'Check' | 'Errors'>;
  readonly divisions: DivisionPaths;
}

/** The values of a row, and what is wrong with it. */
export interface CheckedRow {
  /** Values that differ from those of the employee, with suggestions. A division has its identifier. */
  readonly values: Readonly<Partial<Record<ImportField, Value>>>;
  /** Each prevents the import of the row. */
  readonly problems: readonly Problem[];
  /** Suggestions among the values, which a user must confirm. */
  readonly questions: readonly Problem[];
  /** Fields that are left out. */
  readonly notices: readonly Problem[];
}

/** A new employee whose key or name is damaged is not imported without it. */
const neededOfNew: ReadonlySet<ImportField> = new Set(['email', 'employeeNumber', 'firstName', 'lastName']);

/**
 * Checks a row against the stored employee and the contract. A cell that equals the stored value is right, whatever it looks like. A value that a
 * program damaged is left out, unless the row needs it.
 */
export function checkRow({ cells, problems: unreadable }: Cells, rules: RowRules): CheckedRow {
  const values: Partial<Record<ImportField, Value>> = {};
  const problems = [...unreadable];
  const questions: Problem[] = [];
  const notices: Problem[] = [];
  if (unreadable.length > 0) return { values, problems, questions, notices };
  for (const cell of cells.values()) {
    const { value, problem } = resolve(cell, cells, rules);
    if (value !== undefined) values[cell.field] = value;
    if (problem === null) continue;
    const isNeeded = rules.employee === null && neededOfNew.has(cell.field);
    if (value !== undefined) questions.push(problem);
    else (isDamage(problem) && !isNeeded ? notices : problems).push(problem);
  }
  problems.push(...findMissing(values, problems, rules), ...findViolations(values, rules));
  return {
    values,
    problems: inOrder(problems, rules.table),
    questions: inOrder(questions, rules.table),
    notices,
  };
}

/** The new value of a cell: undefined if it is the stored one or has none. A value with a problem is a suggestion. */
interface Resolved {
  readonly value: Value | undefined;
  readonly problem: Problem | null;
}

const unchanged: Resolved = { value: undefined, problem: null };

function resolve(cell: Cell, cells: Cells['cells'], rules: RowRules): Resolved {
  const { employee } = rules;
  const { field, problem, text, value } = cell;
  if (employee && isStored(cell, employee[field])) return unchanged;
  if (problem?.code === 'short_postal_code' && isAbroad(employee, cells))
    return { value: cleanText(text), problem: null };
  // A repaired key could be that of another person.
  if (problem !== null && (field === 'email' || field === 'employeeNumber'))
    return { value: undefined, problem };
  if (field !== 'divisionId' || typeof value !== 'string') return { value, problem };
  const found = findDivision(value, rules);
  return found.value === undefined ? found : { value: found.value, problem: problem ?? found.problem };
}

function isAbroad(employee: Employee | null, cells: Cells['cells']): boolean {
  const stored = employee?.countryCode ?? null;
  return !cells.has('countryCode') && stored !== null && stored !== 'DE';
}

/** Whether a cell has the stored value, as it is or as an export writes it. */
export function isStored({ field, text, value }: Cell, stored: Value): boolean {
  // A suggestion that is stored is right as well.
  if (value !== undefined && value === stored) return true;
  if (typeof stored !== 'string' || text.trim() === '') return false;
  if (field === 'email' && typeof value === 'string') return emailKey(value) === emailKey(stored);
  const texts = [text, withoutFormulaMark(text.trim()), value];
  return texts.some(each => typeof each === 'string' && cleanText(each) === cleanText(stored));
}

function findDivision(found: string, { divisions, employee, table }: RowRules): Resolved {
  const exact = divisions.find(found);
  const candidates = exact.length > 0 ? exact : divisions.propose(found);
  const stored = employee?.divisionId ?? null;
  if (stored !== null && candidates.includes(stored)) return unchanged;
  const [divisionId, second] = candidates;
  const place = { ...placeOf('divisionId', table), found };
  if (divisionId === undefined) return { value: undefined, problem: problemOf('unknown_division', place) };
  if (second !== undefined) return { value: undefined, problem: problemOf('ambiguous_division', place) };
  if (exact.length > 0) return { value: divisionId, problem: null };
  const suggestion = divisions.pathOf(divisionId);
  return { value: divisionId, problem: problemOf('proposed_division', { ...place, suggestion }) };
}

/** The field with the name of its column. */
export function placeOf(field: ImportField, { header, columns }: Table) {
  const column = columns.find(each => each.field === field)?.column;
  return { field, column: column === undefined ? null : header[column]! };
}

function findMissing(
  values: CheckedRow['values'],
  problems: readonly Problem[],
  { employee, required, table }: RowRules,
): Problem[] {
  if (employee !== null) return [];
  return required
    .filter(field => (values[field] ?? null) === null && !problems.some(problem => problem.field === field))
    .map(field => problemOf('missing', placeOf(field, table)));
}

function findViolations(values: CheckedRow['values'], { contract, table }: RowRules): Problem[] {
  return [...violationsIn(contract, values)]
    .filter(([field]) => field in values)
    .map(([field, { code, limit }]) => {
      const found = values[field as ImportField];
      const place = placeOf(field as ImportField, table);
      return problemOf(code, { ...place, found: typeof found === 'string' ? found : null, limit });
    });
}

/** In the order of the columns. */
function inOrder(problems: readonly Problem[], { columns }: Table): Problem[] {
  const positionOf = ({ field }: Problem) =>
    columns.find(column => column.field === field)?.column ?? columns.length;
  return problems.toSorted((one, other) => positionOf(one) - positionOf(other));
}

/** How the value of a field violates the contract. `limit` is its maximum length, else null. */
interface RowViolation {
  readonly code: 'invalid' | 'too_long';
  readonly limit: number | null;
}

const maxLengths = new Map<string, number | undefined>(
  Object.entries(EmployeeCreate.properties as Record<string, { maxLength?: number }>).map(
    ([field, { maxLength }]) => [field, maxLength],
  ),
);

/**
 * Checks values against the contract, and returns the first violation of each field. The validator takes quadratic time for a long text, so it
 * gets none that has certainly too many characters: a character has at most two UTF-16 units.
 */
function violationsIn(
  contract: RowRules['contract'],
  values: Readonly<Record<string, unknown>>,
): Map<string, RowViolation> {
  const found = new Map<string, RowViolation>();
  const checked: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(values)) {
    const limit = maxLengths.get(field);
    if (limit === undefined || typeof value !== 'string' || value.length <= 2 * limit) checked[field] = value;
    else found.set(field, { code: 'too_long', limit });
  }
  if (contract.Check(checked)) return found;
  for (const { instancePath, keyword, params } of contract.Errors(checked)) {
    const field = instancePath.slice(1);
    const { limit = null } = params as { limit?: number };
    if (field === '' || found.has(field)) continue;
    found.set(
      field,
      keyword === 'maxLength' ? { code: 'too_long', limit } : { code: 'invalid', limit: null },
    );
  }
  return found;
}
