import { EmployeeCreate, fold, nullable } from '@kontor/contract';
import { readPersonCell, type TableRecord } from '@kontor/tabular';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { describeProblems, type Problem, problemOf } from '../../../imports/problems.ts';
import { emailKey } from '../../../lib/email-key.ts';
import { newId } from '../../../db/ids.ts';
import { employeeRow } from '../mapping.ts';
import { newEmployee } from '../rules.ts';
import { checkRow } from './check-row.ts';
import type { ColumnPlan } from './columns.ts';
import type { DivisionPaths } from './divisions.ts';
import { type Cells, type ImportField, readCells } from './read-cells.ts';
import type { StagedEmployee } from './store.ts';

/** A new employee of the API. Only imports of an operator may omit the names (specification.md 6.1). */
const ImportedEmployee = Type.Object(
  {
    ...EmployeeCreate.properties,
    firstName: Type.Optional(nullable(EmployeeCreate.properties.firstName)),
    lastName: Type.Optional(nullable(EmployeeCreate.properties.lastName)),
  },
  { additionalProperties: false },
);
const contract = Compile(ImportedEmployee);

export interface RowRules {
  readonly plan: ColumnPlan;
  /** Null for employees without a tenant. */
  readonly tenantId: string | null;
  readonly divisions: DivisionPaths;
  /** @throws Error for an invalid name of a division */
  readonly checkDivisionName: (name: string) => void;
}

type Read = Omit<StagedEmployee, 'line' | 'original'> & { readonly notices: readonly Problem[] };

/** Reads a new employee from a record. The command asks nobody, so a question rejects the row. */
export function readRow(record: TableRecord, rules: RowRules): Read {
  const { plan, tenantId } = rules;
  const { table } = plan;
  const cells = readCells(record, table);
  const checked = checkRow(cells, { ...rules, table, employee: null, required: ['email'], contract });
  const division = readDivision(record, cells, rules);
  const problems = [...checked.problems, ...checked.questions, ...division.problems];
  const keyOf = (field: ImportField) => {
    const value = problems.some(problem => problem.field === field) ? null : checked.values[field];
    return typeof value === 'string' ? value : null;
  };
  const [email, fileNumber] = [keyOf('email'), keyOf('employeeNumber')];
  const keys = { fileEmail: email === null ? null : emailKey(email), fileNumber };
  if (problems.length > 0)
    return { ...keys, reason: describeProblems(problems, 'en'), employee: null, division: null, notices: [] };
  const {
    firstName = null,
    lastName = null,
    divisionId = null,
    ...employee
  } = checked.values as Static<typeof ImportedEmployee>;
  const place = { tenant: tenantId, divisionId };
  const data = { ...newEmployee(employee as EmployeeCreate, place), firstName, lastName };
  const row = employeeRow(newId(), data);
  return { ...keys, reason: null, employee: row, division: division.name, notices: checked.notices };
}

function readDivision(
  { cells }: TableRecord,
  { problems }: Cells,
  { plan: { division, table }, checkDivisionName }: RowRules,
): { name: StagedEmployee['division']; problems: readonly Problem[] } {
  if (division === null || problems.length > 0) return { name: null, problems: [] };
  const column = table.header[division]!;
  const { value: name, problem } = readPersonCell('divisionId', cells[division] ?? '', null);
  if (problem)
    return { name: null, problems: [problemOf(problem.code as Problem['code'], { ...problem, column })] };
  if (typeof name !== 'string') return { name: null, problems: [] };
  try {
    checkDivisionName(name);
    return { name: { name, key: fold(name) }, problems: [] };
  } catch {
    return { name: null, problems: [problemOf('invalid', { column, found: name })] };
  }
}
