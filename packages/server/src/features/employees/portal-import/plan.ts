import {
  type Employee,
  type EmployeeImportCounts,
  type EmployeeImportFailure,
  fold,
  importErrorsMaximum,
  importRowsMaximum,
} from '@kontor/contract';
import type { Batch, Position, TableRecord } from '@kontor/tabular';
import type { Scope } from '../../../auth/scope.ts';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import type { Progress, RunningJob } from '../../../jobs/background.ts';
import { inSlices } from '../../../lib/in-slices.ts';
import { employeeResource } from '../mapping.ts';
import { readEmployees, readHolders } from '../store.ts';
import { readDivisionPaths } from './divisions.ts';
import { batchesOf, failureOf, unclosedQuote } from './file.ts';
import {
  type ImportKey,
  type ImportRow,
  readFile,
  readImport,
  readRepeated,
  storeRepeated,
} from './imports.ts';
import { type Cells, Holders, type PlannedRow, planRow, readCells, type RowContext } from './plan-row.ts';
import { keyOf, type Repeated, RepeatedFinder, repeatedOf, repeatedRange } from './repeated.ts';
import { deleteRows, insertPlannedRows } from './rows-store.ts';

/*
 * A plan works in parts, each in a transaction. Its job has the state between them:
 *
 * | state   | the next part                                                                        |
 * | ------- | ------------------------------------------------------------------------------------ |
 * | null    | reads the whole file, and finds the emails and numbers that several rows have        |
 * | a state | decides the next rows from the position where the last part ended, and stores them   |
 *
 * A part ends the plan if the import is no longer `planning` then: a user discarded it, or a person in it was erased. So a killed worker
 * loses one part, and a discarded import works for the rest of one.
 */
export interface PlanState {
  readonly from: Position;
  /** Rows that are decided, and rows of the file. */
  readonly done: number;
  readonly total: number;
  readonly counts: Readonly<Record<PlannedRow['kind'], number>>;
}

export type PartOutcome =
  | { readonly next: PlanState }
  | { readonly failure: EmployeeImportFailure }
  /** The import is planned, or no longer waits for a plan. */
  | 'ended';

/** Rows after which a part ends. */
const partRows = 2000;

/** Rows that are decided with the same queries. */
const batchRows = 500;

/** Works on the next part of a plan, with the permission of its user. */
export async function planPart(
  session: Queryable,
  job: RunningJob,
  progress: Progress,
): Promise<PartOutcome> {
  const { organizationId, id, scope } = job;
  const key = { organizationId, id };
  const row = await readImport(session, key);
  if (row?.status !== 'planning') {
    await job.authorize();
    return 'ended';
  }
  const state = job.state as PlanState | null;
  const outcome = await (state === null
    ? beginPlan(session, key, row, progress)
    : planRows(session, { key, row, scope }, state, progress));
  // Only now, as writes of its user wait from here on.
  await job.authorize();
  const isPlanning = await session.run(sql`
    SELECT FROM employee_import
    WHERE organization_id = ${key.organizationId} AND id = ${key.id} AND status = 'planning' FOR UPDATE`);
  if (isPlanning === 0) {
    await deleteRows(session, key);
    return 'ended';
  }
  if ('failure' in outcome || outcome.next.done < outcome.next.total) return outcome;
  await endPlan(session, key, row, outcome.next);
  return 'ended';
}

async function beginPlan(
  session: Queryable,
  key: ImportKey,
  row: ImportRow,
  progress: Progress,
): Promise<Exclude<PartOutcome, 'ended'>> {
  const file = { header: row.header, mapping: row.mapping! };
  const finder = new RepeatedFinder(importRowsMaximum);
  for await (const { records } of rowsFrom(session, key, row, start)) {
    const unclosed = records.map(unclosedQuote).find(Boolean);
    if (unclosed) return { failure: failureOf('unclosed_quote', { line: unclosed.line }) };
    if (finder.count + records.length > importRowsMaximum) return { failure: failureOf('too_many_rows') };
    for (const record of records) finder.add(readCells(record, file));
  }
  await storeRepeated(session, key, finder.bytes);
  progress(0, finder.count);
  const counts = { add: 0, change: 0, error: 0, unchanged: 0 };
  return { next: { from: start, done: 0, total: finder.count, counts } };
}

const start: Position = { byte: 0, line: 1 };

/** The rows of the file from a position on, without the header. */
async function* rowsFrom(
  session: Queryable,
  key: ImportKey,
  row: ImportRow,
  from: Position,
): AsyncGenerator<Batch> {
  let headers = from.byte === 0 && row.mapping!.hasHeader ? 1 : 0;
  for await (const { records, next } of batchesOf(readFile(session, key, from.byte), row, from)) {
    yield { records: records.slice(headers), next };
    headers = 0;
  }
}

async function planRows(
  session: Queryable,
  { key, row, scope }: { key: ImportKey; row: ImportRow; scope: Scope },
  state: PlanState,
  progress: Progress,
): Promise<Exclude<PartOutcome, 'ended'>> {
  const { records, next } = await readPart(session, key, row, state.from);
  const repeated = await readRepeated(session, key, repeatedRange(state.done, records.length));
  const context = {
    header: row.header,
    mapping: row.mapping!,
    tenantId: row.tenant,
    divisions: await readDivisionPaths(session, key.organizationId, row.tenant),
  };
  const counts = { ...state.counts };
  for (let at = 0; at < records.length; at += batchRows) {
    const cells = await inSlices(records.slice(at, at + batchRows), record => readCells(record, context));
    const planned = await planBatch(session, scope, cells, context, index =>
      repeatedOf(repeated, at + index),
    );
    const stored = planned.filter(({ kind }) => ++counts[kind] <= importErrorsMaximum || kind !== 'error');
    await insertPlannedRows(session, key, stored);
    progress(state.done + at + planned.length, state.total);
  }
  return { next: { ...state, from: next, done: state.done + records.length, counts } };
}

async function readPart(
  session: Queryable,
  key: ImportKey,
  row: ImportRow,
  from: Position,
): Promise<{ records: TableRecord[]; next: Position }> {
  const records: TableRecord[] = [];
  let next = from;
  for await (const batch of rowsFrom(session, key, row, from)) {
    records.push(...batch.records);
    ({ next } = batch);
    if (records.length >= partRows) break;
  }
  return { records, next };
}

async function planBatch(
  session: Queryable,
  scope: Scope,
  cells: readonly Cells[],
  context: Omit<RowContext, 'holders' | 'employees'>,
  repeatedAt: (index: number) => Repeated,
): Promise<PlannedRow[]> {
  const { organizationId } = scope;
  const keys = (field: 'email' | 'employeeNumber') =>
    cells.map(each => keyOf(each, field)).filter(value => value !== null);
  const found = await readHolders(session, organizationId, keys('email'), keys('employeeNumber').map(fold));
  const ids = found.map(({ id }) => id);
  const employees = new Map<string, Employee>();
  for (const [id, doc] of await readEmployees(session, scope, context.tenantId, ids))
    employees.set(id, employeeResource.parse(doc));
  const complete = { ...context, holders: new Holders(found, context.tenantId), employees };
  return inSlices(cells, (each, index) => planRow(each, repeatedAt(index), complete));
}

async function countEmployees(db: Queryable, organizationId: string, tenantId: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(sql`
    SELECT count(*)::int AS n FROM employee WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}`);
  return row!.n;
}

async function endPlan(
  session: Queryable,
  { organizationId, id }: ImportKey,
  { tenant }: ImportRow,
  { counts }: PlanState,
): Promise<void> {
  const shown: EmployeeImportCounts = {
    employees: await countEmployees(session, organizationId, tenant),
    adds: counts.add,
    changes: counts.change,
    errors: counts.error,
    unchanged: counts.unchanged,
    applied: 0,
    skipped: 0,
  };
  await session.run(sql`
    UPDATE employee_import SET status = 'planned', counts = ${JSON.stringify(shown)}::jsonb
    WHERE organization_id = ${organizationId} AND id = ${id}`);
}
