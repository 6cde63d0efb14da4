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
import { inSlices } from '../../../lib/concurrency/in-slices.ts';
import { employeeResource } from '../mapping.ts';
import { readEmployees, readHolders } from '../store.ts';
import { batchesOf, failureOf, failureOfQuote, unclosedQuote } from '../../../imports/file.ts';
import { readDivisionPaths } from '../import/divisions.ts';
import { readCells, type Table } from '../import/read-cells.ts';
import { readFile, readRepeated, storeRepeated } from './file-store.ts';
import { type ImportKey, type ImportRow, readImport } from './imports.ts';
import {
  isKey,
  type Key,
  type Repeated,
  RepeatedFinder,
  repeatedOf,
  repeatedRange,
  textsOf,
} from './keys.ts';
import { Holders, type PlannedRow, planRow, type RowContext } from './plan-row.ts';
import { deleteRows, insertPlannedRows } from './rows-store.ts';
import { endWork } from './states.ts';

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
  const { header, columns } = tableOf(row);
  const keys = { header, columns: columns.filter(({ field }) => isKey(field)) };
  const finder = new RepeatedFinder(importRowsMaximum);
  for await (const { records } of rowsFrom(session, key, row, start)) {
    const unclosed = records.map(unclosedQuote).find(Boolean);
    if (unclosed) return { failure: failureOfQuote(unclosed) };
    if (finder.count + records.length > importRowsMaximum) return { failure: failureOf('too_many_rows') };
    for (const record of records) finder.add(readCells(record, keys));
  }
  if (finder.count === 0) return { failure: failureOf('no_rows') };
  await storeRepeated(session, key, finder.bytes);
  progress(0, finder.count);
  const counts = { add: 0, change: 0, error: 0, unchanged: 0, question: 0 };
  return { next: { from: start, done: 0, total: finder.count, counts } };
}

function tableOf({ header, mapping }: ImportRow): Table {
  return { header, columns: mapping!.columns };
}

const start: Position = { byte: 0, line: 1 };

/** The rows of the file from a position on, without the header and the rows above it. */
async function* rowsFrom(
  session: Queryable,
  key: ImportKey,
  row: ImportRow,
  from: Position,
): AsyncGenerator<Batch> {
  let above = from.byte === 0 ? (row.mapping!.headerRow ?? 0) : 0;
  for await (const { records, next } of batchesOf(readFile(session, key, from.byte), row, from)) {
    yield { records: records.slice(above), next };
    above -= Math.min(above, records.length);
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
    table: tableOf(row),
    matchBy: row.mapping!.matchBy,
    tenantId: row.tenant,
    divisions: await readDivisionPaths(session, key.organizationId, row.tenant),
  };
  const counts = { ...state.counts };
  const maxListed = { error: importErrorsMaximum, question: importErrorsMaximum } as Partial<typeof counts>;
  for (let at = 0; at < records.length; at += batchRows) {
    const batch = records.slice(at, at + batchRows);
    const planned = await planBatch(session, scope, batch, context, index =>
      repeatedOf(repeated, at + index),
    );
    const stored = planned.filter(({ kind }) => ++counts[kind] <= (maxListed[kind] ?? Infinity));
    counts.question += planned.filter(({ kind, emailChange }) => kind === 'change' && emailChange).length;
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
  records: readonly TableRecord[],
  context: Omit<RowContext, 'holders' | 'employees'>,
  repeatedAt: (index: number) => Repeated,
): Promise<PlannedRow[]> {
  const { organizationId } = scope;
  const cells = await inSlices(records, record => readCells(record, context.table));
  const texts = (key: Key) => cells.flatMap(each => textsOf(each, key));
  const found = await readHolders(session, organizationId, texts('email'), texts('employeeNumber').map(fold));
  const ids = found.map(({ id }) => id);
  const employees = new Map<string, Employee>();
  for (const [id, doc] of await readEmployees(session, scope, context.tenantId, ids))
    employees.set(id, employeeResource.parse(doc));
  const complete = { ...context, holders: new Holders(found, context.tenantId), employees };
  return inSlices(records, (record, index) =>
    planRow(record, { cells: cells[index]!, repeated: repeatedAt(index) }, complete),
  );
}

async function countEmployees(db: Queryable, organizationId: string, tenantId: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(sql`
    SELECT count(*)::int AS n FROM employee WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}`);
  return row!.n;
}

async function endPlan(
  session: Queryable,
  key: ImportKey,
  { tenant }: ImportRow,
  { counts }: PlanState,
): Promise<void> {
  const shown: EmployeeImportCounts = {
    employees: await countEmployees(session, key.organizationId, tenant),
    adds: counts.add,
    changes: counts.change,
    errors: counts.error,
    questions: counts.question,
    accepted: 0,
    unchanged: counts.unchanged,
    applied: 0,
    skipped: 0,
  };
  await session.run(endWork('planned', key, { counts: JSON.stringify(shown) }));
}
