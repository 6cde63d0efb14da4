import type { EmployeeImportAnswers, EmployeeImportRow, EmployeeImportView } from '@kontor/contract';
import { columnsOf, insertRows } from '../../../db/insert-rows.ts';
import type { Queryable } from '../../../db/session.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import { type Problem, problemOf } from '../../../imports/problems.ts';
import type { DivisionPaths } from '../import/divisions.ts';
import type { EmailChange, PlannedRow } from './plan-row.ts';

export interface ImportKey {
  readonly organizationId: string;
  readonly id: string;
}

type Change = PlannedRow['changes'][number];

export interface StoredRow extends Omit<EmployeeImportRow, 'changes'> {
  readonly changes: readonly Change[];
  readonly emailChange: EmailChange | null;
  readonly employeeUpdatedAt: Date | null;
}

const storedColumns = sql`line, kind, employee_id AS "employeeId", employee_updated_at AS "employeeUpdatedAt", name, changes,
  email_change AS "emailChange", problems, notices,
  answer, outcome, reason`;

export async function insertPlannedRows(
  db: Queryable,
  { organizationId, id }: ImportKey,
  rows: readonly PlannedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const column = columnsOf(rows);
  const columns = [
    { name: 'organization_id', type: 'text', value: organizationId },
    { name: 'import_id', type: 'text', value: id },
    column('line', ({ line }) => line, 'integer'),
    column('kind', ({ kind }) => kind),
    column('employee_id', ({ employee }) => employee?.id ?? null),
    column('employee_updated_at', ({ employee }) => employee?.updatedAt ?? null, 'timestamptz'),
    column('email_key', ({ subject }) => subject.emailKey),
    column('employee_number', ({ subject }) => subject.employeeNumber),
    column('name', ({ name }) => name),
    column('changes', ({ changes }) => JSON.stringify(changes), 'jsonb'),
    column('email_change', ({ emailChange }) => emailChange && JSON.stringify(emailChange), 'jsonb'),
    column('problems', ({ problems }) => JSON.stringify(problems.map(withoutNulls)), 'jsonb'),
    column('notices', ({ notices }) => JSON.stringify(notices.map(withoutNulls)), 'jsonb'),
    column('cells', ({ cells }) => cells && JSON.stringify(cells), 'jsonb'),
  ];
  await db.run(insertRows('employee_import_row', columns));
}

/** Problems are stored without what is null in them. */
function withoutNulls(problem: object): object {
  return Object.fromEntries(Object.entries(problem).filter(([, value]) => value !== null));
}

/** 0.2.0 has other names for two of them. */
type StoredProblem = Partial<Problem> & Pick<Problem, 'code'> & { readonly value?: string };

function completeProblem({ value, ...problem }: StoredProblem): Problem {
  const code = (problem.code as string) === 'cell_count' ? 'surplus_cell' : problem.code;
  return problemOf(code, { ...problem, found: problem.found ?? value ?? null });
}

/** Removes all rows of an import. */
export async function deleteRows(db: Queryable, { organizationId, id }: ImportKey): Promise<void> {
  await db.run(sql`
    DELETE FROM employee_import_row WHERE organization_id = ${organizationId} AND import_id = ${id}`);
}

const views: Readonly<Record<EmployeeImportView, Fragment>> = {
  add: sql`kind = 'add'`,
  change: sql`kind = 'change'`,
  error: sql`kind = 'error'`,
  question: sql`(kind = 'question' OR answer = 'import' OR email_change IS NOT NULL)`,
  unchanged: sql`kind = 'unchanged'`,
  applied: sql`outcome = 'applied'`,
  skipped: sql`outcome = 'skipped'`,
};

/** A page of the rows of a view, and how many there are. */
export async function readRows(
  db: Queryable,
  { organizationId, id }: ImportKey,
  { view, page, pageSize }: { view: EmployeeImportView; page: number; pageSize: number },
): Promise<{ rows: StoredRow[]; total: number }> {
  const ofView = sql`FROM employee_import_row
    WHERE organization_id = ${organizationId} AND import_id = ${id} AND ${views[view]}`;
  const [rows, [count]] = await Promise.all([
    db.rows<StoredRow>(sql`
      SELECT ${storedColumns} ${ofView} ORDER BY line LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`),
    db.rows<{ total: number }>(sql`SELECT count(*)::int AS total ${ofView}`),
  ]);
  return { rows, total: count!.total };
}

const reportSlice = 1000;

/** All rows but unchanged ones, in the order of the file, in slices. */
export async function* readReport(
  db: Queryable,
  { organizationId, id }: ImportKey,
): AsyncGenerator<StoredRow[]> {
  for (let last = 0; ;) {
    const rows = await db.rows<StoredRow>(sql`
      SELECT ${storedColumns} FROM employee_import_row
      WHERE organization_id = ${organizationId} AND import_id = ${id} AND line > ${last} AND kind <> 'unchanged'
      ORDER BY line LIMIT ${reportSlice}`);
    yield rows;
    if (rows.length < reportSlice) return;
    last = rows.at(-1)!.line;
  }
}

/** The rows with errors, and the questions that were not accepted, in the order of the file, in slices. An erasure leaves no cells. */
export async function* readRejected(
  db: Queryable,
  { organizationId, id }: ImportKey,
): AsyncGenerator<{ cells: readonly string[]; problems: readonly Problem[] }[]> {
  for (let last = 0; ;) {
    const rows = await db.rows<{ line: number; cells: string[]; problems: StoredProblem[] }>(sql`
      SELECT line, cells, problems FROM employee_import_row
      WHERE organization_id = ${organizationId} AND import_id = ${id} AND line > ${last}
        AND kind IN ('error', 'question') AND cells IS NOT NULL
      ORDER BY line LIMIT ${reportSlice}`);
    yield rows.map(({ cells, problems }) => ({ cells, problems: problems.map(completeProblem) }));
    if (rows.length < reportSlice) return;
    last = rows.at(-1)!.line;
  }
}

/** Rows whose other changes do not wait for the answer about the email. */
const onlyEmailAsked = sql`(email_change IS NOT NULL AND changes <> '[]' AND jsonb_array_length(problems) = 1)`;

export interface Question extends Pick<StoredRow, 'line' | 'employeeId' | 'answer'> {
  readonly isChangedAnyway: boolean;
}

/** The questions of some lines, or all. */
export function readQuestions(
  db: Queryable,
  { organizationId, id }: ImportKey,
  lines: readonly number[] | null,
): Promise<Question[]> {
  const wanted = lines === null ? sql`true` : sql`line = ANY(${[...lines]}::integer[])`;
  return db.rows(sql`
    SELECT line, employee_id AS "employeeId", answer, ${onlyEmailAsked} AS "isChangedAnyway" FROM employee_import_row
    WHERE organization_id = ${organizationId} AND import_id = ${id} AND ${views.question} AND ${wanted}`);
}

/** The statement that stores the answer to questions. An accepted one is an add or a change. */
export function storeAnswer(
  { organizationId, id }: ImportKey,
  answer: EmployeeImportAnswers['answer'],
  questions: readonly Pick<StoredRow, 'line'>[],
): Fragment {
  const accepted = sql`CASE WHEN employee_id IS NULL THEN 'add' ELSE 'change' END`;
  return sql`
    UPDATE employee_import_row SET answer = ${answer}, kind = CASE WHEN ${onlyEmailAsked} THEN kind ELSE ${answer === 'import' ? accepted : sql`'question'`} END
    WHERE organization_id = ${organizationId} AND import_id = ${id} AND line = ANY(${questions.map(({ line }) => line)}::integer[])`;
}

/** The next rows to apply, in the order of the file. */
export function readUnapplied(
  db: Queryable,
  { organizationId, id }: ImportKey,
  max: number,
): Promise<StoredRow[]> {
  return db.rows<StoredRow>(sql`
    SELECT ${storedColumns} FROM employee_import_row
    WHERE organization_id = ${organizationId} AND import_id = ${id} AND kind IN ('add', 'change') AND outcome IS NULL
    ORDER BY line LIMIT ${max}`);
}

export interface RowOutcome extends Pick<StoredRow, 'line' | 'outcome' | 'reason' | 'employeeId'> {}

/** The statement that records what became of rows. */
export function markRows({ organizationId, id }: ImportKey, outcomes: readonly RowOutcome[]): Fragment {
  const of = <Name extends keyof RowOutcome>(name: Name) => outcomes.map(outcome => outcome[name]);
  return sql`
    UPDATE employee_import_row r SET outcome = i.outcome, reason = i.reason, employee_id = i.employee_id
    FROM unnest(${of('line')}::integer[], ${of('outcome')}::text[], ${of('reason')}::text[], ${of('employeeId')}::text[])
      AS i (line, outcome, reason, employee_id)
    WHERE r.organization_id = ${organizationId} AND r.import_id = ${id} AND r.line = i.line`;
}

/** The row as the contract shows it: divisions have their paths. */
export function showRow(
  { employeeUpdatedAt: _version, emailChange, changes, problems, notices, ...row }: StoredRow,
  divisions: DivisionPaths,
): EmployeeImportRow {
  const text = ({ field }: Change, value: Change['after']) => {
    if (value === null) return null;
    return field === 'divisionId' ? divisions.pathOf(value as string) : String(value);
  };
  return {
    ...row,
    problems: problems.map(completeProblem),
    notices: notices.map(completeProblem),
    changes: [
      ...(emailChange && row.answer === 'import' ? [{ field: 'email' as const, ...emailChange }] : []),
      ...changes.map(change => ({
        field: change.field,
        before: text(change, change.before),
        after: text(change, change.after),
      })),
    ],
  };
}
