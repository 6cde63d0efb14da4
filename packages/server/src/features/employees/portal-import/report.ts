import type { Readable } from 'node:stream';
import type { EmployeeImportRow } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { describeProblems, type Language } from '../../../imports/problems.ts';
import { byteOrderMark, csvLine, rowFile } from '../../../lib/row-file.ts';
import type { DivisionPaths } from '../import/divisions.ts';
import type { ImportKey } from './imports.ts';
import { readRejected, readReport, showRow } from './rows-store.ts';

/** A row of the file has a line for each change, problem and notice. */
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
  'suggestion',
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
  const { line, employeeId, name, kind: effect, outcome, reason, changes, problems, notices } = row;
  const none = { field: null, before: null, after: null, column: null, problem: null };
  const common = { line, employeeId, name, effect, outcome, reason, ...none, value: null, suggestion: null };
  const lines = [
    ...changes.map(change => ({ ...common, ...change })),
    ...[...problems, ...notices].map(({ code: problem, field, column, found: value, suggestion }) => ({
      ...common,
      field,
      column,
      problem,
      value,
      suggestion,
    })),
  ];
  return lines.length > 0 ? lines : [common];
}

/** Names of the column that says what is wrong. An upload leaves it out. */
// cspell:disable-next-line
const errorColumns: Readonly<Record<Language, string>> = { de: 'Fehler', en: 'Errors' };

/**
 * The rows with errors and questions as the file has them, with a last column that says what is wrong. A column of this name, from an earlier
 * file of this kind, is replaced.
 */
export function errorsFile(
  db: Queryable,
  key: ImportKey,
  { header, hasHeader, language }: { header: readonly string[]; hasHeader: boolean; language: Language },
): Promise<Readable> {
  const kept = Object.values(errorColumns).includes(header.at(-1) ?? '') ? header.slice(0, -1) : header;
  const lineOf = (cells: readonly string[], last: string) =>
    csvLine([...kept.map((_, column) => cells[column] ?? ''), last]);
  return rowFile(
    readRejected(db, key),
    rows => rows.map(({ cells, problems }) => lineOf(cells, describeProblems(problems, language))).join(''),
    byteOrderMark + (hasHeader ? lineOf(kept, errorColumns[language]) : ''),
  );
}
