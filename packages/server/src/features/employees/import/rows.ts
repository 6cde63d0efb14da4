import { EmployeeCreate, nullable } from '@kontor/contract';
import type { TableRecord } from '@kontor/tabular';
import Type, { type Static } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { EmployeeData } from '../mapping.ts';
import { newEmployee } from '../rules.ts';
import type { ColumnPlan, ImportField } from './columns.ts';
import { describeFault } from './csv.ts';

/** A new employee of the API. Only imports may omit the names (specification.md 6.1). */
const ImportedEmployee = Type.Object(
  {
    ...EmployeeCreate.properties,
    firstName: Type.Optional(nullable(EmployeeCreate.properties.firstName)),
    lastName: Type.Optional(nullable(EmployeeCreate.properties.lastName)),
  },
  { additionalProperties: false },
);
type ImportedEmployee = Static<typeof ImportedEmployee>;
const validator = Compile(ImportedEmployee);

export type ReadRow =
  | { readonly data: EmployeeData; readonly division: string | null; readonly reason: null }
  | { readonly reason: string };

export interface RowRules {
  readonly plan: ColumnPlan;
  /** Null for employees without a tenant. */
  readonly tenantId: string | null;
  /** @throws Error for an invalid name of a division */
  readonly checkDivisionName: (name: string) => void;
}

/** Reads an employee from a record. An empty cell is null. */
export function readRow(record: TableRecord, rules: RowRules): ReadRow {
  const { plan } = rules;
  const fault = describeFault(record);
  if (fault !== null) return { reason: fault };
  const { cells } = record;
  if (cells.length !== plan.header.length)
    return { reason: `the record has ${cells.length} values, the header ${plan.header.length} columns` };
  if (record.text.includes('\0')) return { reason: 'the record has a NUL character' };
  const employee: Record<string, unknown> = {};
  for (const { index, field } of plan.fields)
    if (cells[index] !== '') employee[field] = valueOf(field, cells[index]!);
  const division = plan.division === null || cells[plan.division] === '' ? null : cells[plan.division]!;
  const problems = [
    ...fieldProblems(employee, plan),
    ...placeProblems(employee, rules),
    ...divisionProblems(division, rules),
  ];
  if (problems.length > 0) return { reason: problems.join('; ') };
  return { data: complete(employee as ImportedEmployee, rules.tenantId), division, reason: null };
}

/** The value of a cell. A spreadsheet in German writes its own words. */
export function valueOf(field: ImportField, cell: string): string | boolean {
  if (field !== 'blocked') return cell;
  // cspell:disable
  if (/^(true|wahr)$/i.test(cell)) return true;
  return /^(false|falsch)$/i.test(cell) ? false : cell;
  // cspell:enable
}

/** How the value of a field violates the contract. `limit` is its maximum length, else null. */
export interface Violation {
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
export function violationsIn(
  contract: Pick<Validator, 'Check' | 'Errors'>,
  values: Readonly<Record<string, unknown>>,
): Map<string, Violation> {
  const found = new Map<string, Violation>();
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

const expected: Partial<Record<ImportField, string>> = {
  email: 'must be an email address',
  privateEmail: 'must be an email address',
  blocked: 'must be true or false',
  countryCode: 'must be two uppercase letters',
  divisionId: 'must be 24 hexadecimal characters',
};

/** Describes the invalid values, without repeating them. */
function fieldProblems(employee: Record<string, unknown>, plan: ColumnPlan): string[] {
  if (employee['email'] === undefined) return [`${nameColumn('email', plan)} is missing`];
  const violations = violationsIn(validator, employee);
  return plan.fields.flatMap(({ field }) => {
    const violation = violations.get(field);
    if (violation === undefined) return [];
    const tooLong =
      violation.code === 'too_long' ? `must have at most ${violation.limit} characters` : undefined;
    return [`${nameColumn(field, plan)} ${tooLong ?? expected[field] ?? 'is not valid'}`];
  });
}

/** The field, with its column when that has another name. */
function nameColumn(field: ImportField, plan: ColumnPlan): string {
  const column = plan.fields.find(filled => filled.field === field)!.column;
  return column === field ? field : `${field} (column ${column})`;
}

function placeProblems({ divisionId }: Record<string, unknown>, { plan, tenantId }: RowRules): string[] {
  if (tenantId !== null || divisionId === undefined) return [];
  return [`${nameColumn('divisionId', plan)}: an employee in no tenant has no division`];
}

function divisionProblems(division: string | null, { plan, checkDivisionName }: RowRules): string[] {
  if (division === null) return [];
  try {
    checkDivisionName(division);
    return [];
  } catch (error) {
    return [`column ${plan.header[plan.division!]}: ${(error as Error).message}`];
  }
}

function complete(employee: ImportedEmployee, tenantId: string | null): EmployeeData {
  const { firstName = null, lastName = null } = employee;
  const place = { tenant: tenantId, divisionId: employee.divisionId?.toLowerCase() ?? null };
  return { ...newEmployee(employee as EmployeeCreate, place), firstName, lastName };
}
