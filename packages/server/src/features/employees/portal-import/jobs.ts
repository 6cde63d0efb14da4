import { type Employee, type EmployeeImportCounts, type EmployeeImportFailure, fold } from '@kontor/contract';
import type { Scope } from '../../../auth/scope.ts';
import { newId } from '../../../db/ids.ts';
import type { Queryable } from '../../../db/session.ts';
import { assignments, sql } from '../../../db/sql.ts';
import type { Session } from '../../../db/transaction.ts';
import {
  type BackgroundWork,
  PermissionLost,
  type Progress,
  type RunningJob,
} from '../../../jobs/background.ts';
import { emailKey } from '../../../lib/email-key.ts';
import { UnclosedQuote } from '../import/csv.ts';
import { employeeResource } from '../mapping.ts';
import { readEmployees, readHolders } from '../store.ts';
import { applyBatch } from './apply.ts';
import { readDivisionPaths } from './divisions.ts';
import { failureOf, rowsOf } from './file.ts';
import { type ImportKey, type ImportRow, readFile, readImport, reportExpiry } from './imports.ts';
import { type Cells, keysOf, type PlannedRow, planRow, readCells, type RowContext } from './plan-row.ts';
import { insertPlannedRows } from './rows-store.ts';

/** Rows that are decided with the same queries. */
const planBatch = 500;

/** Rows in one transaction of an import, as other writes of the organization wait for it. */
const applyBatchSize = 100;

/** Decides all rows of a file, and makes the import `planned`. One that is discarded meanwhile stays as it is. */
async function plan(session: Queryable, key: RunningJob, progress: Progress): Promise<void> {
  const row = await readImport(session, key);
  const bytes = row?.status === 'planning' ? await readFile(session, key) : null;
  const { scope } = await key.authorize();
  if (!row || bytes === null) return;
  const file = { bytes, dialect: row, header: row.header, mapping: row.mapping! };
  const { repeated, total } = await findRepeated(file);
  const { organizationId } = key;
  const divisions = await readDivisionPaths(session, organizationId, row.tenant);
  const context = { ...file, tenantId: row.tenant, divisions, repeated };
  const counts = { add: 0, change: 0, error: 0, unchanged: 0 };
  let done = 0;
  progress(done, total);
  for await (const records of rowsOf(bytes, row, file.mapping))
    for (let at = 0; at < records.length; at += planBatch) {
      const cells = records.slice(at, at + planBatch).map(record => readCells(record, file));
      const rows = await planBatchOf(session, scope, cells, context);
      await insertPlannedRows(session, key, rows);
      for (const { kind } of rows) counts[kind]++;
      progress((done += rows.length), total);
    }
  await endPlan(session, key, {
    employees: await countEmployees(session, organizationId, row.tenant),
    adds: counts.add,
    changes: counts.change,
    errors: counts.error,
    unchanged: counts.unchanged,
    applied: 0,
    skipped: 0,
  });
}

type File = Pick<RowContext, 'header' | 'mapping'> & { readonly bytes: Buffer; readonly dialect: ImportRow };

/** The lines of each email and number that several rows have: nobody can know which one is right. */
async function findRepeated(
  file: File,
): Promise<{ repeated: ReadonlyMap<string, readonly number[]>; total: number }> {
  const first = new Map<string, number>();
  const repeated = new Map<string, number[]>();
  let total = 0;
  for await (const records of rowsOf(file.bytes, file.dialect, file.mapping))
    for (const record of records) {
      total++;
      const cells = readCells(record, file);
      for (const key of keysOf(cells)) {
        const before = first.get(key);
        if (before === undefined) first.set(key, cells.line);
        else if (!repeated.has(key)) repeated.set(key, [before, cells.line]);
      }
    }
  return { repeated, total };
}

async function planBatchOf(
  session: Queryable,
  scope: Scope,
  cells: readonly Cells[],
  context: Omit<RowContext, 'holders' | 'employees'>,
): Promise<PlannedRow[]> {
  const texts = (field: 'email' | 'employeeNumber') =>
    cells.flatMap(({ values }) => (typeof values[field] === 'string' ? [values[field]] : []));
  const { organizationId } = scope;
  const emails = texts('email').map(emailKey);
  const holders = await readHolders(session, organizationId, emails, texts('employeeNumber').map(fold));
  const docs = await readEmployees(
    session,
    scope,
    context.tenantId,
    holders.map(({ id }) => id),
  );
  const employees = new Map<string, Employee>();
  for (const [id, doc] of docs) employees.set(id, employeeResource.parse(doc));
  return cells.map(each => planRow(each, { ...context, holders, employees }));
}

async function countEmployees(db: Queryable, organizationId: string, tenantId: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(sql`
    SELECT count(*)::int AS n FROM employee WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}`);
  return row!.n;
}

async function endPlan(
  session: Queryable,
  { organizationId, id }: ImportKey,
  counts: EmployeeImportCounts,
): Promise<void> {
  const updated = await session.run(sql`
    UPDATE employee_import SET status = 'planned', counts = ${JSON.stringify(counts)}::jsonb
    WHERE organization_id = ${organizationId} AND id = ${id} AND status = 'planning'`);
  if (updated > 0) return;
  await session.run(sql`
    DELETE FROM employee_import_row WHERE organization_id = ${organizationId} AND import_id = ${id}`);
}

/**
 * Applies the next rows in the transaction of the job, while the user has the permission. A killed worker leaves whole batches, and the
 * next one goes on behind them.
 */
async function apply(session: Session, key: RunningJob, progress: Progress): Promise<'more' | void> {
  const { author, scope } = await key.authorize();
  const row = await readImport(session, key);
  if (row?.status !== 'applying') return;
  const batch = { key, tenantId: row.tenant, author, max: applyBatchSize, newId };
  const done = await applyBatch(session, scope, batch);
  const { counts: before } = row;
  const applied = before!.applied + done.applied;
  const skipped = before!.skipped + done.skipped;
  const counts = { ...before!, applied, skipped };
  progress(applied + skipped, counts.adds + counts.changes);
  const isLast = done.applied + done.skipped < applyBatchSize;
  const ended = {
    status: 'applied',
    ended_at: sql`statement_timestamp()`,
    expires_at: reportExpiry(new Date()),
  };
  await session.run(sql`
    UPDATE employee_import SET ${assignments({ counts: JSON.stringify(counts), ...(isLast && ended) })}
    WHERE organization_id = ${key.organizationId} AND id = ${key.id}`);
  if (!isLast) return 'more';
}

/** Ends an import that cannot go on. Rows that were applied stay so, and the report has them. */
async function fail(session: Queryable, key: ImportKey, failure: EmployeeImportFailure): Promise<void> {
  const { organizationId, id } = key;
  const failed = { status: 'failed', failure: JSON.stringify(failure) };
  const ended = { ended_at: sql`statement_timestamp()`, expires_at: reportExpiry(new Date()) };
  await session.run(sql`
    UPDATE employee_import SET ${assignments({ ...failed, ...ended })}
    WHERE organization_id = ${organizationId} AND id = ${id} AND status IN ('planning', 'applying')`);
  await session.run(sql`
    DELETE FROM employee_import_file WHERE organization_id = ${organizationId} AND import_id = ${id}`);
}

/** The tenant of an import that a job is to work on; null for one that was discarded meanwhile. */
async function findTenant(
  session: Queryable,
  key: ImportKey,
  status: ImportRow['status'],
): Promise<string | null> {
  const row = await readImport(session, key);
  return row?.status === status ? row.tenant : null;
}

function failureOfError(error: unknown): EmployeeImportFailure {
  if (error instanceof PermissionLost) return failureOf('permission');
  return error instanceof UnclosedQuote
    ? failureOf('unclosed_quote', { line: error.line })
    : failureOf('internal');
}

const ofImport = {
  queue: 'bulk',
  permission: 'HR',
  failed: (session, key, error) => fail(session, key, failureOfError(error)),
} as const satisfies Partial<BackgroundWork>;

/** The background work of imports. */
export const employeeImportWorks: readonly BackgroundWork[] = [
  {
    ...ofImport,
    type: 'employee_import_plan',
    findTenant: (session, key) => findTenant(session, key, 'planning'),
    run: plan,
  },
  {
    ...ofImport,
    type: 'employee_import_apply',
    findTenant: (session, key) => findTenant(session, key, 'applying'),
    run: apply,
  },
];
