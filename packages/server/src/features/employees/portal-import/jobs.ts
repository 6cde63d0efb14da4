import type { EmployeeImportFailure } from '@kontor/contract';
import { newId } from '../../../db/ids.ts';
import type { Queryable } from '../../../db/session.ts';
import { assignments, sql } from '../../../db/sql.ts';
import type { Session } from '../../../db/transaction.ts';
import {
  type BackgroundWork,
  continueJob,
  PermissionLost,
  type Progress,
  type RunningJob,
} from '../../../jobs/background.ts';
import { applyBatch } from './apply.ts';
import { failureOf } from '../../../imports/file.ts';
import { type ImportKey, planJob, readImport, reportExpiry } from './imports.ts';
import { planPart } from './plan.ts';
import { deleteRows } from './rows-store.ts';
import { endWork, type ImportStatus } from './states.ts';

/** Rows in one transaction of an import, as other writes of the organization wait for it. */
const applyBatchSize = 100;

/** Works on a part of a plan, and leaves the state for the next part to its job. */
async function plan(session: Session, job: RunningJob, progress: Progress): Promise<'more' | void> {
  const outcome = await planPart(session, job, progress);
  if (outcome === 'ended') return;
  if ('failure' in outcome) return failPlan(session, job, outcome.failure);
  await continueJob(session, job, { type: planJob, state: outcome.next });
  return 'more';
}

async function failPlan(session: Queryable, key: ImportKey, failure: EmployeeImportFailure): Promise<void> {
  await deleteRows(session, key);
  await fail(session, key, failure);
}

/**
 * Applies the next rows in the transaction of the job, while the user has the permission. A killed worker leaves whole batches, and the
 * next one goes on behind them.
 */
async function apply(session: Session, key: RunningJob, progress: Progress): Promise<'more' | void> {
  const author = await key.authorize();
  const row = await readImport(session, key);
  if (row?.status !== 'applying') return;
  const batch = { key, tenantId: row.tenant, author, max: applyBatchSize, newId };
  const done = await applyBatch(session, key.scope, batch);
  const { counts: before } = row;
  const applied = before!.applied + done.applied;
  const skipped = before!.skipped + done.skipped;
  const counts = { ...before!, applied, skipped };
  progress(applied + skipped, counts.adds + counts.changes);
  const isLast = done.applied + done.skipped < applyBatchSize;
  const stored = { counts: JSON.stringify(counts) };
  if (isLast) return void (await session.run(endWork('applied', key, { ...stored, ...stampEnd() })));
  await session.run(sql`
    UPDATE employee_import SET ${assignments(stored)}
    WHERE organization_id = ${key.organizationId} AND id = ${key.id}`);
  return 'more';
}

const stampEnd = () => ({ ended_at: sql`statement_timestamp()`, expires_at: reportExpiry(new Date()) });

/** Ends an import that cannot go on. Rows that were applied stay so, and the report has them. */
async function fail(session: Queryable, key: ImportKey, failure: EmployeeImportFailure): Promise<void> {
  const { organizationId, id } = key;
  await session.run(endWork('fail', key, { failure: JSON.stringify(failure), ...stampEnd() }));
  await session.run(sql`
    DELETE FROM employee_import_file WHERE organization_id = ${organizationId} AND import_id = ${id}`);
}

/** The tenant of an import that a job is to work on; null for one that was discarded meanwhile. */
async function findTenant(session: Queryable, key: ImportKey, status: ImportStatus): Promise<string | null> {
  const row = await readImport(session, key);
  return row?.status === status ? row.tenant : null;
}

const failureOfError = (error: unknown): EmployeeImportFailure =>
  failureOf(error instanceof PermissionLost ? 'permission' : 'internal');

const ofImport = { queue: 'bulk', permission: 'HR' } as const;

const ofPlan = {
  ...ofImport,
  findTenant: (session, key) => findTenant(session, key, 'planning'),
  run: plan,
  failed: (session, key, error) => failPlan(session, key, failureOfError(error)),
} as const satisfies Partial<BackgroundWork>;

/** The background work of imports. */
export const employeeImportWorks: readonly BackgroundWork[] = [
  { ...ofPlan, type: planJob },
  // A job of 0.2.0. After its first part it has the new type, as no process of 0.2.0 may go on with a plan in parts.
  { ...ofPlan, type: 'employee_import_plan' },
  {
    ...ofImport,
    type: 'employee_import_apply',
    findTenant: (session, key) => findTenant(session, key, 'applying'),
    run: apply,
    failed: (session, key, error) => fail(session, key, failureOfError(error)),
  },
];
