import {
  type PayrollDifference,
  type PayrollFailure,
  type PayrollFinding,
  type PayrollRun,
  type PayrollRunCreate,
  type PayrollSettings,
  type PayrollSummary,
} from '@kontor/contract';
import { insertRows } from '../../db/insert-rows.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import {
  type BackgroundWork,
  PermissionLost,
  type Progress,
  type RunningJob,
} from '../../jobs/background.ts';
import { daysIn, type Month, monthAfter } from '../../lib/calendar.ts';
import { inSlices } from '../../lib/concurrency/in-slices.ts';
import { amount, cents } from '../../lib/money.ts';
import type { WriteCall, Writes } from '../../write/writes.ts';
import { isDeepStrictEqual } from 'node:util';
import { countAnswered } from './acknowledge.ts';
import { assessOrder, type RunTerms } from './computation/assess.ts';
import { settingsIn } from './computation/facts.ts';
import { formats } from './formats/formats.ts';
import {
  entryColumns,
  entryFields,
  entryOf,
  type EntryRow,
  type OrderEntry,
  readBooked,
  type RunKey,
} from './ledger.ts';
import type { Kind } from './computation/owed.ts';
import { countOrders, readFacts } from './read.ts';
import { reverseOrder } from './computation/reversal.ts';
import {
  type AssessedOrder,
  deleteFindings,
  insertFindings,
  type NumberedFinding,
  readReport,
  type ReleasedSums,
  Report,
} from './report.ts';
import {
  createRun,
  findTenantOfJob,
  readRun,
  readRunOfJob,
  type RunRow,
  type RunWithSettings,
} from './runs.ts';
import { fromReleased } from './settings.ts';
import { moveRun } from './states.ts';

/*
 * A draft: the report of a run, and its entries in `payroll_draft_entry` until the run is released or discarded. A release computes it again.
 */

/** The cut-off day of a period; null when all changes enter its run. */
export function cutOffDayOf(
  { cutOffDay }: Pick<PayrollSettings, 'cutOffDay'>,
  period: string,
): string | null {
  if (cutOffDay === null) return null;
  return `${period}-${String(Math.min(cutOffDay, daysIn(period))).padStart(2, '0')}`;
}

/** The last instant of the cut-off day of a period; null when changes still enter the run. */
function cutOffOf(settings: Pick<PayrollSettings, 'cutOffDay'>, period: string, now: Date): Date | null {
  const day = cutOffDayOf(settings, period);
  const end = day === null ? null : new Date(`${day}T23:59:59.999Z`);
  return end !== null && now > end ? end : null;
}

export interface Working {
  readonly session: Queryable;
  readonly run: RunWithSettings;
  readonly key: RunKey;
  readonly progress: Progress;
}

/** Assesses all orders of a run in pages, and reports findings and progress. */
export async function assessRun(
  { session, run, key, progress }: Working,
  onPage: (page: readonly AssessedOrder[], findings: readonly NumberedFinding[]) => Promise<void>,
): Promise<Report> {
  const { versions, period } = run;
  const { organizationId } = key;
  const { tenant: tenantId, divisionId, reverses } = run;
  const selection = {
    organizationId,
    tenantId,
    divisionId,
    ...(reverses?.employeeId && { employeeId: reverses.employeeId }),
  };
  const terms: RunTerms = {
    versions,
    period,
    formats: run.formats.map(name => formats[name]),
    cutOff: run.kind === 'reversal' ? null : cutOffOf(settingsIn(versions, period), period, new Date()),
  };
  const report = new Report(terms);
  await onPage([], report.begin(await findSkippedMonth(session, key.organizationId, run)));
  const total = await countOrders(session, selection);
  let done = 0;
  progress(done, total);
  for await (const facts of readFacts(session, selection)) {
    const orderIds = facts.map(({ orderId }) => orderId);
    const booked = reverses && (await readBooked(session, organizationId, { tenantId, orderIds, reverses }));
    const page = await inSlices(facts, order => ({
      facts: order,
      assessment: booked
        ? reverseOrder(order, terms, booked.get(order.orderId) ?? [])
        : assessOrder(order, terms),
    }));
    await onPage(
      page,
      page.flatMap(order => report.add(order)),
    );
    progress((done += page.length), total);
  }
  await onPage([], report.end());
  return report;
}

/** The first month between the last released one and that of a run. Before the first release none is skipped. */
async function findSkippedMonth(
  db: Queryable,
  organizationId: string,
  { tenant, divisionId, period }: RunRow,
): Promise<Month | null> {
  const [found] = await db.rows<{ last: Month | null }>(sql`
    SELECT max(period) AS last ${fromReleased(organizationId, sql`${tenant}`)}
      AND (division_id IS NULL OR ${divisionId}::text IS NULL OR division_id = ${divisionId})`);
  const last = found?.last ?? null;
  return last !== null && monthAfter(last) < period ? monthAfter(last) : null;
}

export function entriesOf({ facts: { orderId, employeeId }, assessment }: AssessedOrder): OrderEntry[] {
  return assessment.entries.map(entry => ({ orderId, employeeId, ...entry }));
}

/**
 * Computes entries and report of a run, and makes it a draft. One that is discarded meanwhile stays as it is. `authorize` is called
 * after the computation: it may take a minute, and locks the user.
 */
async function computeDraft(
  session: Queryable,
  key: RunKey & Partial<Pick<RunningJob, 'authorize'>>,
  progress: Progress,
): Promise<void> {
  const run = await readRunOfJob(session, key);
  const report = await assessRun({ session, run, key, progress }, async (page, findings) => {
    await insertDraftEntries(session, key, page.flatMap(entriesOf));
    await insertFindings(session, key, findings);
  });
  const sums = await releasedSums(session, key.organizationId, run);
  const summary = report.summary(sums, await countAnswered(session, key));
  await key.authorize?.();
  const results = sql`, summary = ${JSON.stringify(summary)}::jsonb, computed_at = statement_timestamp()`;
  if ((await session.run(moveRun('computed', key, results))) > 0) return;
  await deleteDraft(session, key);
  await deleteFindings(session, key);
}

/**
 * Sums the released runs of the period, and of the last earlier period. A second run of a period exports only the rest. A run of a division
 * is compared with runs of this division, and a run of the tenant with all.
 */
async function releasedSums(
  db: Queryable,
  organizationId: string,
  { tenant, divisionId, period }: RunRow,
): Promise<ReleasedSums> {
  const released = sql`
    ${fromReleased(organizationId, sql`${tenant}`)} AND (${divisionId}::text IS NULL OR division_id = ${divisionId})`;
  const rows = await db.rows<{ summary: PayrollSummary; isBefore: boolean }>(sql`
    SELECT summary, period < ${period} AS "isBefore" ${released}
      AND period IN (${period}, (SELECT max(period) ${released} AND period < ${period}))`);
  const sums = { period: new Map<Kind, bigint>(), before: new Map<Kind, bigint>() };
  for (const { summary, isBefore } of rows) {
    const ofPeriod = isBefore ? sums.before : sums.period;
    for (const { kind, amount } of summary.sums)
      ofPeriod.set(kind, (ofPeriod.get(kind) ?? 0n) + cents(amount));
  }
  return sums;
}

/** The background job that computes a draft. */
export const draftWork: BackgroundWork = {
  type: 'payroll_draft',
  queue: 'interactive',
  permission: 'PAYROLL_RUN',
  findTenant: (session, key) => findTenantOfJob(session, key, 'computing'),
  run: computeDraft,
  async failed(session, key, error) {
    const failure = JSON.stringify(failureOf(error));
    await session.run(moveRun('not_computed', key, sql`, failure = ${failure}::jsonb`));
  },
};

function failureOf(error: unknown): PayrollFailure {
  if (error instanceof PermissionLost) {
    const message = 'The user who created the run lacks the permission; another user can create a new run';
    return { reason: 'permission', message, differences: [] };
  }
  const message = 'The run could not be computed; the log of the service says why. Create a new run';
  return { reason: 'internal', message, differences: [] };
}

export interface RunWithReport {
  readonly run: PayrollRun;
  readonly findings: readonly PayrollFinding[];
}

/** Creates a run and computes its draft in a transaction that is rolled back. @throws ApiError as {@link createRun} */
export function tryRun(
  { writes, progress }: { writes: Writes; progress: Progress },
  call: WriteCall,
  tenantId: string,
  wanted: PayrollRunCreate,
): Promise<RunWithReport> {
  return writes.runWithoutClock({ ...call, dryRun: true }, async (write, session) => {
    const { id } = await createRun(write, session, tenantId, wanted);
    const key = { organizationId: write.organizationId, id };
    await computeDraft(session, key, progress);
    return { run: await readRun(session, key), findings: await readReport(session, key) };
  });
}

async function insertDraftEntries(db: Queryable, run: RunKey, entries: readonly OrderEntry[]): Promise<void> {
  if (entries.length > 0) await db.run(insertRows('payroll_draft_entry', entryColumns(run, entries)));
}

type EntryName = Pick<OrderEntry, 'orderId' | 'month' | 'kind' | 'part'>;

const nameOf = ({ orderId, month, kind, part }: EntryName) => `${orderId} ${month} ${kind} ${part}`;

async function readDraft(
  db: Queryable,
  run: RunKey,
  orderIds: readonly string[],
): Promise<Map<string, OrderEntry>> {
  const rows = await db.rows<EntryRow>(sql`
    SELECT ${entryFields} FROM payroll_draft_entry
    WHERE organization_id = ${run.organizationId} AND run_id = ${run.id} AND order_id = ANY(${[...orderIds]}::text[])`);
  return new Map(rows.map(row => [nameOf(row), entryOf(row)]));
}

/** How entries that were computed again differ from the draft, for these orders. */
export async function compareWithDraft(
  db: Queryable,
  run: RunKey,
  orderIds: readonly string[],
  entries: readonly OrderEntry[],
): Promise<PayrollDifference[]> {
  const draft = await readDraft(db, run, orderIds);
  const differences: PayrollDifference[] = [];
  for (const entry of entries) {
    const { orderId, month, kind, cents } = entry;
    const before = draft.get(nameOf(entry));
    draft.delete(nameOf(entry));
    if (before && isDeepStrictEqual(before, entry)) continue;
    differences.push({
      orderId,
      month,
      kind,
      draft: before ? amount(before.cents) : null,
      now: amount(cents),
    });
  }
  for (const { orderId, month, kind, cents } of draft.values())
    differences.push({ orderId, month, kind, draft: amount(cents), now: null });
  return differences;
}

export async function countDraft(db: Queryable, run: RunKey): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM payroll_draft_entry
    WHERE organization_id = ${run.organizationId} AND run_id = ${run.id}`);
  return row!.count;
}

/** Draft entries of orders that a release did not meet, such as ones that left the division. */
export async function draftLeftovers(
  db: Queryable,
  run: RunKey,
  limit: number,
): Promise<PayrollDifference[]> {
  // Not NOT EXISTS: without statistics of the rows of this transaction, it became a nested loop over all of them.
  const rows = await db.rows<EntryName & { cents: string }>(sql`
    SELECT order_id AS "orderId", month, kind, part, cents::text AS cents FROM payroll_draft_entry
    WHERE organization_id = ${run.organizationId} AND run_id = ${run.id}
    EXCEPT SELECT order_id, month, kind, part, cents::text FROM payroll_entry
    WHERE organization_id = ${run.organizationId} AND run_id = ${run.id}
    ORDER BY 1, 2, 3, 4 LIMIT ${limit}`);
  return rows.map(({ cents, part: _part, ...row }) => ({ ...row, draft: amount(BigInt(cents)), now: null }));
}

export async function deleteDraft(db: Queryable, run: RunKey): Promise<void> {
  await db.run(sql`
    DELETE FROM payroll_draft_entry WHERE organization_id = ${run.organizationId} AND run_id = ${run.id}`);
}
