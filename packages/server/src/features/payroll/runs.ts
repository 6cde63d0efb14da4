import {
  ApiError,
  type PayrollFailure,
  type PayrollRun,
  type PayrollRunCreate,
  payrollRunsMaximum,
  type PayrollSummary,
  unprocessable,
} from '@kontor/contract';
import { findInScope } from '../../auth/find-in-scope.ts';
import type { Scope } from '../../auth/scope.ts';
import { newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { empty, insertion, sql } from '../../db/sql.ts';
import { cancelJob, queueJob, readProgress } from '../../jobs/background.ts';
import { type Month, monthAfter, monthOf } from '../../lib/calendar.ts';
import type { Author, Write } from '../../write/writes.ts';
import type { SettingsVersions } from './computation/facts.ts';
import { readDownloads } from './files/downloads.ts';
import type { ClientSettings } from './formats/format.ts';
import type { RunKey } from './ledger.ts';
import { lockSettings, readLastReleased, readSettings, type TenantKey } from './settings.ts';
import { checkMove, isInProgress, moveRun } from './states.ts';

type Actor = PayrollRun['createdBy'];

export interface RunRow {
  readonly id: string;
  readonly tenant: string;
  readonly divisionId: string | null;
  readonly kind: PayrollRun['kind'];
  readonly reverses: PayrollRun['reverses'];
  readonly period: string;
  readonly formats: PayrollRun['formats'];
  readonly status: PayrollRun['status'];
  readonly createdBy: Actor;
  readonly createdAt: Date;
  readonly summary: PayrollSummary | null;
  readonly failure: PayrollFailure | null;
  readonly releasedBy: Actor | null;
  readonly releasedAt: Date | null;
  readonly documentIds: string[];
  readonly head: ClientSettings | null;
}

const runFields = sql`id, tenant_id AS tenant, division_id AS "divisionId", kind, reverses, period, formats, status, created_by AS "createdBy",
  created_at AS "createdAt", summary, failure, released_by AS "releasedBy", released_at AS "releasedAt",
  document_ids AS "documentIds", head`;

export async function findRun(db: Queryable, { organizationId, id }: RunKey): Promise<RunRow> {
  const [row] = await db.rows<RunRow>(sql`
    SELECT ${runFields} FROM payroll_run WHERE organization_id = ${organizationId} AND id = ${id}`);
  if (row) return row;
  throw new ApiError('NOT_FOUND', 'No payroll run with this id is visible to the caller');
}

/** The run as the contract shows it. @throws ApiError NOT_FOUND */
export async function readRun(db: Queryable, key: RunKey): Promise<PayrollRun> {
  return showRun(db, key.organizationId, await findRun(db, key));
}

/** The run as the contract shows it; null for one that does not exist or is of a tenant out of scope. */
export async function findRunInScope(db: Queryable, scope: Scope, id: string): Promise<PayrollRun | null> {
  const place = { table: 'payroll_run', scope, tenant: null, id };
  const row = await findInScope<RunRow>(db, place, runFields);
  return row && showRun(db, scope.organizationId, row);
}

/** The last runs of a tenant, or of a month of it, the newest first. */
export async function readRuns(
  db: Queryable,
  organizationId: string,
  { tenantId, period = null }: { tenantId: string; period?: Month | null },
): Promise<PayrollRun[]> {
  const ofPeriod = period === null ? empty : sql`AND period = ${period}`;
  const rows = await db.rows<RunRow>(sql`
    SELECT ${runFields} FROM payroll_run
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} ${ofPeriod}
    ORDER BY id DESC LIMIT ${payrollRunsMaximum}`);
  const runs: PayrollRun[] = [];
  for (const row of rows) runs.push(await showRun(db, organizationId, row));
  return runs;
}

async function showRun(db: Queryable, organizationId: string, row: RunRow): Promise<PayrollRun> {
  const { createdAt, releasedAt, documentIds, summary, head: _head, ...run } = row;
  const progress = isInProgress(row) ? await readProgress(db, { organizationId, id: row.id }) : null;
  const downloads = await readDownloads(db, organizationId, [...documentIds, row.id]);
  return {
    ...run,
    createdAt: createdAt.toISOString(),
    progress,
    // Runs of 0.2.0 have no answered questions.
    summary: summary && {
      ...summary,
      acknowledged: summary.acknowledged ?? 0,
      sums: summary.sums.map(withTotal),
    },
    releasedAt: releasedAt?.toISOString() ?? null,
    documents: documentIds.map(id => ({ id, downloads: downloads.get(id) ?? [] })),
    copies: downloads.get(row.id) ?? [],
  };
}

type Sum = PayrollSummary['sums'][number];

/** Sums that were stored before migration 0023 have no total. */
function withTotal(sum: Omit<Sum, 'total'> & Partial<Sum>): Sum {
  return { total: sum.amount, ...sum };
}

export const actorOf = ({ actor: { type, id, name } }: Author): Actor => ({ type, id, name });

/** `reverses`: the run is a reversal. */
export type NewRun = PayrollRunCreate & Partial<Pick<PayrollRun, 'reverses'>>;

/**
 * Creates a run and queues its computation. The caller checks the division before.
 * @throws ApiError 422 VALIDATION_ERROR without settings and for a period that is too early or too late, DUPLICATE_RESOURCE while another
 * run is open, INVALID_REFERENCE and INVALID_STATE_TRANSITION for the run that it replaces
 */
export async function createRun(
  write: Write,
  session: Queryable,
  tenantId: string,
  { period, formats: wanted, divisionId = null, replaces = null, reverses = null }: NewRun,
): Promise<PayrollRun> {
  const { organizationId } = write;
  const [{ firstPeriod }] = await lockSettings(session, { organizationId, tenantId });
  if (replaces !== null) await discardReplaced(write, session, tenantId, replaces);
  await checkPeriod(session, { organizationId, tenantId, firstPeriod, period, now: monthOf(write.instant) });
  const id = newId();
  const createdBy = actorOf(write.author);
  const kind = reverses === null ? 'regular' : 'reversal';
  const row = {
    organization_id: organizationId,
    id,
    tenant_id: tenantId,
    division_id: divisionId,
    kind,
    reverses: reverses && JSON.stringify(reverses),
    period,
    formats: wanted,
    status: 'computing',
    created_by: JSON.stringify(createdBy),
    created_at: write.at,
  };
  write.send(sql`INSERT INTO payroll_run ${insertion(row)}`);
  queueJob(write, { id, type: 'payroll_draft' });
  write.audit({ id, action: 'payroll_run.create' });
  return {
    id,
    tenant: tenantId,
    divisionId,
    kind,
    reverses,
    period,
    formats: wanted,
    status: 'computing',
    createdBy,
    createdAt: write.instant,
    progress: null,
    summary: null,
    failure: null,
    releasedBy: null,
    releasedAt: null,
    documents: [],
    copies: [],
  };
}

async function discardReplaced(
  write: Write,
  session: Queryable,
  tenantId: string,
  id: string,
): Promise<void> {
  const found = await session.rows(sql`
    SELECT FROM payroll_run WHERE organization_id = ${write.organizationId} AND tenant_id = ${tenantId} AND id = ${id}`);
  if (found.length === 0)
    throw new ApiError('INVALID_REFERENCE', 'replaces must name a payroll run of the tenant');
  await discardRun(write, session, id);
}

/** The run of a tenant that is neither released nor discarded. A tenant has one at most. */
async function findOpenRun(db: Queryable, { organizationId, tenantId }: TenantKey): Promise<string | null> {
  const [open] = await db.rows<{ id: string }>(sql`
    SELECT id FROM payroll_run WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}
      AND status IN ('computing', 'draft', 'releasing')`);
  return open?.id ?? null;
}

/** The months that a new run can be for, as {@link createRun} checks it. */
export async function readPeriods(
  db: Queryable,
  tenant: TenantKey,
  instant: string,
): Promise<{ firstPeriod: Month | null; lastPeriod: Month }> {
  const [settings, last] = await Promise.all([readSettings(db, tenant), readLastReleased(db, tenant)]);
  return { firstPeriod: last ?? settings?.[0].firstPeriod ?? null, lastPeriod: monthAfter(monthOf(instant)) };
}

async function checkPeriod(
  session: Queryable,
  run: TenantKey & { firstPeriod: Month; period: Month; now: Month },
): Promise<void> {
  const { firstPeriod, period, now } = run;
  if (period < firstPeriod)
    throw unprocessable(`period must not be before ${firstPeriod}, the first period of the tenant`);
  // A run exports all months up to its period, and later runs cannot go back behind it.
  if (period > monthAfter(now))
    throw unprocessable(`period must not be after ${monthAfter(now)}, the month after the present one`);
  const open = await findOpenRun(session, run);
  if (open !== null)
    throw new ApiError(
      'DUPLICATE_RESOURCE',
      `The tenant has an open run, ${open}: release or discard it first`,
    );
  const last = await readLastReleased(session, run);
  if (last !== null && period < last)
    throw unprocessable(
      `period must not be before ${last}, the last released period; it corrects earlier months`,
    );
}

/**
 * Discards a run. The job of one that is `computing` goes on beside, and ends without effect.
 * @throws ApiError NOT_FOUND, INVALID_STATE_TRANSITION for a run that is released or being released
 */
export async function discardRun(write: Write, session: Queryable, id: string): Promise<void> {
  const run = await lockRun(write, session, id);
  if (!checkMove(run.status, 'discard')) return;
  const key = { organizationId: write.organizationId, id };
  cancelJob(statement => write.send(statement), key);
  // The run first: it waits for a job that commits its draft, whose entries are deleted then.
  write.send(moveRun('discard', key));
  write.send(sql`
    DELETE FROM payroll_draft_entry WHERE organization_id = ${write.organizationId} AND run_id = ${id}`);
  write.audit({ id, action: 'payroll_run.discard' });
}

/** A run and the settings of its tenant. */
export type RunWithSettings = RunRow & { readonly versions: SettingsVersions };

/** Locks the settings of the run's tenant, and reads the run. @throws ApiError NOT_FOUND */
export async function lockRun(
  { organizationId }: Pick<Write, 'organizationId'>,
  session: Queryable,
  id: string,
): Promise<RunWithSettings> {
  const { tenant } = await findRun(session, { organizationId, id });
  const versions = await lockSettings(session, { organizationId, tenantId: tenant });
  return { ...(await findRun(session, { organizationId, id })), versions };
}

/** Reads the run of a job, which needs no lock: others leave it alone while it is `releasing`, and discard it at most while it is `computing`. */
export async function readRunOfJob(session: Queryable, key: RunKey): Promise<RunWithSettings> {
  const run = await findRun(session, key);
  const versions = await readSettings(session, { organizationId: key.organizationId, tenantId: run.tenant });
  return { ...run, versions: versions! };
}

/** The tenant of a run that a job is to work on; null for one that was discarded meanwhile. */
export async function findTenantOfJob(
  session: Queryable,
  { organizationId, id }: RunKey,
  status: RunRow['status'],
): Promise<string | null> {
  const [run] = await session.rows<{ tenant: string }>(sql`
    SELECT tenant_id AS tenant FROM payroll_run
    WHERE organization_id = ${organizationId} AND id = ${id} AND status = ${status}`);
  return run?.tenant ?? null;
}

/** Counts the released runs with files of the same period, kind, and tenant or division, from 1. Runs are made one after another. */
export async function numberOf(
  db: Queryable,
  organizationId: string,
  { tenant, divisionId, period, kind, createdAt }: RunRow,
): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM payroll_run
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenant} AND status = 'released'
      AND created_at < ${createdAt} AND period = ${period} AND kind = ${kind} AND division_id IS NOT DISTINCT FROM ${divisionId}
      AND (summary -> 'entries')::int > 0`);
  return row!.count + 1;
}
