import type { EmployeeImportRow } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import type { DivisionPaths } from './divisions.ts';
import type { ImportKey } from './imports.ts';
import { readReport, showRow } from './rows-store.ts';

/** A row of the file has a line for each change and each problem. */
export const reportColumns = [
  'line',
  'employeeId',
  'name',
  'effect',
  'outcome',
  'reason',
  'field',
  'before',
  'after',
  'column',
  'problem',
  'value',
] as const;

type ReportLine = Readonly<Record<(typeof reportColumns)[number], string | number | null>>;

export async function* reportRows(
  db: Queryable,
  key: ImportKey,
  divisions: DivisionPaths,
): AsyncGenerator<ReportLine[]> {
  for await (const rows of readReport(db, key)) yield rows.flatMap(row => linesOf(showRow(row, divisions)));
}

function linesOf(row: EmployeeImportRow): ReportLine[] {
  const { line, employeeId, name, kind: effect, outcome, reason, changes, problems } = row;
  const none = { field: null, before: null, after: null, column: null, problem: null, value: null };
  const common = { line, employeeId, name, effect, outcome, reason, ...none };
  const lines = [
    ...changes.map(change => ({ ...common, ...change })),
    ...problems.map(({ code: problem, field, column, value }) => ({
      ...common,
      field,
      column,
      problem,
      value,
    })),
  ];
  return lines.length > 0 ? lines : [common];
}
