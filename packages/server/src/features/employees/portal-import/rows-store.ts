import type { EmployeeImportRow, EmployeeImportView } from '@kontor/contract';
import { columnsOf, insertRows } from '../../../db/insert-rows.ts';
import type { Queryable } from '../../../db/session.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import type { DivisionPaths } from './divisions.ts';
import type { ImportKey } from './imports.ts';
import type { PlannedRow } from './plan-row.ts';

type Change = PlannedRow['changes'][number];

export interface StoredRow extends Omit<EmployeeImportRow, 'changes'> {
  readonly changes: readonly Change[];
  readonly employeeUpdatedAt: Date | null;
}

const storedColumns = sql`line, kind, employee_id AS "employeeId", employee_updated_at AS "employeeUpdatedAt", name, changes, problems,
  outcome, reason`;

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
    column('problems', ({ problems }) => JSON.stringify(problems.map(withoutNulls)), 'jsonb'),
  ];
  await db.run(insertRows('employee_import_row', columns, rows.length));
}

/** Problems are stored without what is null in them. */
function withoutNulls(problem: object): object {
  return Object.fromEntries(Object.entries(problem).filter(([, value]) => value !== null));
}

const noProblem = { column: null, field: null, value: null, limit: null };

/** Removes all rows of an import. */
export async function deleteRows(db: Queryable, { organizationId, id }: ImportKey): Promise<void> {
  await db.run(sql`
    DELETE FROM employee_import_row WHERE organization_id = ${organizationId} AND import_id = ${id}`);
}

const views: Readonly<Record<EmployeeImportView, Fragment>> = {
  add: sql`kind = 'add'`,
  change: sql`kind = 'change'`,
  error: sql`kind = 'error'`,
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

export interface Outcome extends Pick<StoredRow, 'line' | 'outcome' | 'reason' | 'employeeId'> {}

/** The statement that records what became of rows. */
export function markRows({ organizationId, id }: ImportKey, outcomes: readonly Outcome[]): Fragment {
  const of = <Name extends keyof Outcome>(name: Name) => outcomes.map(outcome => outcome[name]);
  return sql`
    UPDATE employee_import_row r SET outcome = i.outcome, reason = i.reason, employee_id = i.employee_id
    FROM unnest(${of('line')}::integer[], ${of('outcome')}::text[], ${of('reason')}::text[], ${of('employeeId')}::text[])
      AS i (line, outcome, reason, employee_id)
    WHERE r.organization_id = ${organizationId} AND r.import_id = ${id} AND r.line = i.line`;
}

/** The row as the contract shows it: divisions have their paths. */
export function showRow(
  { employeeUpdatedAt: _version, changes, problems, ...row }: StoredRow,
  divisions: DivisionPaths,
): EmployeeImportRow {
  const text = ({ field }: Change, value: Change['after']) => {
    if (value === null) return null;
    return field === 'divisionId' ? divisions.pathOf(value as string) : String(value);
  };
  return {
    ...row,
    problems: problems.map(problem => ({ ...noProblem, ...problem })),
    changes: changes.map(change => ({
      field: change.field,
      before: text(change, change.before),
      after: text(change, change.after),
    })),
  };
}
