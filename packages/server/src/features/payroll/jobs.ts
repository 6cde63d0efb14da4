import {
  type AuditReason,
  type PayrollDifference,
  payrollDifferenceMaximum,
  type PayrollExportDocument,
  type PayrollFailure,
  type PayrollSettings,
  type PayrollSummary,
} from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Session } from '../../db/transaction.ts';
import { type FileStore, FileStoreError } from '../../files/file-store.ts';
import {
  type BackgroundWork,
  PermissionLost,
  type Progress,
  type RunningJob,
} from '../../jobs/background.ts';
import { daysIn } from '../../lib/calendar.ts';
import { cents } from '../../lib/money.ts';
import { runAtClock } from '../../write/run-at-clock.ts';
import { auditBatched, type Author, type WriteAtClock } from '../../write/writes.ts';
import type { RunTerms } from './assess.ts';
import { emptyDocument, type FilesOfRun, type NewDocument, storeFiles } from './files.ts';
import { formats } from './formats/formats.ts';
import {
  compareWithDraft,
  countDraft,
  deleteDraft,
  draftLeftovers,
  insertDraftEntries,
  insertEntries,
  type OrderEntry,
  type ReleasedOrder,
  type RunKey,
} from './ledger.ts';
import { type AssessedOrder, assessOrders, type PayrollReaders } from './orders.ts';
import type { Kind } from './owed.ts';
import { deleteFindings, insertFindings, type NumberedFinding, Report } from './report.ts';
import { actorOf, readRunOfJob, type RunRow, type RunWithSettings } from './runs.ts';

export interface PayrollParts {
  readonly readers: PayrollReaders;
  readonly files: FileStore;
  /** Stores a public payroll export document. */
  readonly publish: (write: WriteAtClock, document: PayrollExportDocument) => void;
}

/** The last instant of the cut-off day in the month of a period; null when changes still enter the run. */
function cutOffOf({ cutOffDay }: PayrollSettings, period: string, now: Date): Date | null {
  if (cutOffDay === null) return null;
  const day = String(Math.min(cutOffDay, daysIn(period))).padStart(2, '0');
  const end = new Date(`${period}-${day}T23:59:59.999Z`);
  return now > end ? end : null;
}

interface Working {
  readonly session: Queryable;
  readonly run: RunWithSettings;
  readonly key: RunKey;
  readonly parts: PayrollParts;
  readonly progress: Progress;
}

/** Assesses all orders of a run in pages, and reports findings and progress. */
async function assessRun(
  { session, run, key, parts, progress }: Working,
  onPage: (page: readonly AssessedOrder[], findings: readonly NumberedFinding[]) => Promise<void>,
): Promise<Report> {
  const { organizationId } = key;
  const { settings, period } = run;
  const selection = { organizationId, tenantId: run.tenant, divisionId: run.divisionId };
  const terms: RunTerms = {
    settings,
    period,
    formats: run.formats.map(name => formats[name]),
    cutOff: cutOffOf(settings, period, new Date()),
  };
  const report = new Report();
  await onPage([], report.begin(terms));
  const total = await parts.readers.countOrders(session, selection);
  let done = 0;
  progress(done, total);
  for await (const page of assessOrders(session, parts.readers, selection, terms)) {
    await onPage(
      page,
      page.flatMap(order => report.add(order)),
    );
    progress((done += page.length), total);
  }
  return report;
}

function entriesOf({ facts: { orderId, employeeId }, assessment }: AssessedOrder): OrderEntry[] {
  return assessment.entries.map(entry => ({ orderId, employeeId, ...entry }));
}

/**
 * Computes entries and report of a run, and makes it a draft. One that is discarded meanwhile stays as it is. `authorize` is called
 * after the computation: it may take a minute, and locks the user.
 */
export async function computeDraft(
  session: Queryable,
  key: RunKey & Partial<Pick<RunningJob, 'authorize'>>,
  parts: PayrollParts,
  progress: Progress,
): Promise<void> {
  const run = await readRunOfJob(session, key);
  const report = await assessRun({ session, run, key, parts, progress }, async (page, findings) => {
    await insertDraftEntries(session, key, page.flatMap(entriesOf));
    await insertFindings(session, key, findings);
  });
  const summary = report.summary(await sumsBefore(session, key.organizationId, run));
  await key.authorize?.();
  const updated = await session.run(sql`
    UPDATE payroll_run SET status = 'draft', summary = ${JSON.stringify(summary)}::jsonb, computed_at = statement_timestamp()
    WHERE organization_id = ${key.organizationId} AND id = ${key.id} AND status = 'computing'`);
  if (updated > 0) return;
  await deleteDraft(session, key);
  await deleteFindings(session, key);
}

/**
 * The sums of the last earlier period that was released, of all its runs together: a second run of a period exports only what is left. A run
 * of a division is compared with runs of this division, one of the tenant with all.
 */
async function sumsBefore(
  db: Queryable,
  organizationId: string,
  { tenant, divisionId, period }: RunRow,
): Promise<Map<Kind, bigint>> {
  const earlier = sql`
    FROM payroll_run
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenant} AND status = 'released' AND period < ${period}
      AND (${divisionId}::text IS NULL OR division_id = ${divisionId})`;
  const rows = await db.rows<{ summary: PayrollSummary }>(sql`
    SELECT summary ${earlier} AND period = (SELECT max(period) ${earlier})`);
  const sums = new Map<Kind, bigint>();
  for (const { summary } of rows)
    for (const { kind, amount } of summary.sums) sums.set(kind, (sums.get(kind) ?? 0n) + cents(amount));
  return sums;
}

/** How many runs of a period were released for the same tenant or division. */
async function countReleased(
  db: Queryable,
  organizationId: string,
  { tenant, divisionId, period }: RunRow,
): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM payroll_run
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenant} AND status = 'released'
      AND period = ${period} AND division_id IS NOT DISTINCT FROM ${divisionId}`);
  return row!.count;
}

/** A release that computed something else than the draft. Nothing of it is kept. */
class StaleDraft extends Error {
  override readonly name = 'StaleDraft';
  readonly differences: readonly PayrollDifference[];

  constructor(differences: readonly PayrollDifference[]) {
    super('the draft is stale');
    this.differences = differences;
  }
}

/** A file of a release could not be stored. Nothing of the release is kept. */
class FilesNotStored extends Error {
  override readonly name = 'FilesNotStored';
  readonly skippedOrders: number;

  constructor(skippedOrders: number, cause: FileStoreError) {
    super('a file could not be stored', { cause });
    this.skippedOrders = skippedOrders;
  }
}

/**
 * Computes a run again and releases it, all or nothing. The clock of the organization is taken last, so that other writes do not wait.
 * @throws StaleDraft, FilesNotStored, PermissionLost
 */
async function release(
  working: Working & { readonly session: Session; readonly key: RunningJob },
): Promise<void> {
  const { session, run, key, parts } = working;
  const differences: PayrollDifference[] = [];
  const report = await assessRun(working, async page => {
    const entries = page.flatMap(entriesOf);
    const orderIds = page.map(({ facts }) => facts.orderId);
    if (differences.length < payrollDifferenceMaximum)
      differences.push(...(await compareWithDraft(session, key, orderIds, entries)));
    if (differences.length === 0)
      await insertEntries(session, { ...key, tenantId: run.tenant }, page.flatMap(releasedOf));
  });
  // All that was computed is in the draft. Finding what else it has takes seconds, so that is done only when there is more.
  if (differences.length === 0 && (await countDraft(session, key)) > report.entries)
    differences.push(...(await draftLeftovers(session, key, payrollDifferenceMaximum)));
  if (differences.length > 0 || report.errors > 0)
    throw new StaleDraft(differences.slice(0, payrollDifferenceMaximum));
  const { organizationId, id } = key;
  const ofRun: FilesOfRun = {
    organizationId,
    id,
    tenantId: run.tenant,
    divisionId: run.divisionId,
    formats: run.formats,
    skippedOrders: report.skippedOrders,
    number: (await countReleased(session, organizationId, run)) + 1,
    terms: { settings: run.settings, period: run.period },
  };
  const documents = await storeFiles({ session, readers: parts.readers, files: parts.files }, ofRun).catch(
    (error: unknown) => {
      throw error instanceof FileStoreError ? new FilesNotStored(report.skippedOrders, error) : error;
    },
  );
  const author = await key.authorize();
  await deleteDraft(session, key);
  await runAtClock(session, organizationId, author, write => {
    publishAll(write, parts, documents);
    const ids = documents.map(({ id }) => id);
    const releasedBy = JSON.stringify(actorOf(author));
    write.send(sql`
      UPDATE payroll_run SET status = 'released', document_ids = ${ids}::text[], released_at = ${write.at},
        released_by = ${releasedBy}::jsonb
      WHERE organization_id = ${organizationId} AND id = ${id}`);
    write.audit({ id, action: 'payroll_run.release' });
  });
}

/** Empty for an order that could not be computed. One without entries counts, as runs after a cut-off use its basis. */
function releasedOf(order: AssessedOrder): ReleasedOrder[] {
  const { facts, latest, assessment } = order;
  if (assessment.basis === null) return [];
  return [{ orderId: facts.orderId, latest, basis: assessment.basis, entries: entriesOf(order) }];
}

function publishAll(write: WriteAtClock, { publish }: PayrollParts, documents: readonly NewDocument[]): void {
  const { instant } = write;
  const stamps = { generatedAt: instant, createdAt: instant, updatedAt: instant };
  for (const document of documents) publish(write, { ...document, ...stamps });
}

/** The tenant of a run that a job is to work on; null for one that was discarded meanwhile. */
async function findTenant(
  session: Queryable,
  { organizationId, id }: RunKey,
  status: RunRow['status'],
): Promise<string | null> {
  const [run] = await session.rows<{ tenant: string }>(sql`
    SELECT tenant_id AS tenant FROM payroll_run
    WHERE organization_id = ${organizationId} AND id = ${id} AND status = ${status}`);
  return run?.tenant ?? null;
}

/** The background work of payroll. */
export function payrollWorks(parts: PayrollParts): BackgroundWork[] {
  return [
    {
      type: 'payroll_draft',
      queue: 'interactive',
      permission: 'PAYROLL_RUN',
      findTenant: (session, key) => findTenant(session, key, 'computing'),
      run: (session, job, progress) => computeDraft(session, job, parts, progress),
      failed: (session, key, error) => endWith(session, key, 'discarded', failureOfDraft(error)),
    },
    {
      type: 'payroll_release',
      queue: 'interactive',
      permission: 'PAYROLL_RELEASE',
      findTenant: (session, key) => findTenant(session, key, 'releasing'),
      async run(session, job, progress) {
        const run = await readRunOfJob(session, job);
        await release({ session, run, key: job, parts, progress });
      },
      failed: (session, { author, ...key }, error) => failRelease(session, key, { parts, error, author }),
    },
  ];
}

function failureOfDraft(error: unknown): PayrollFailure {
  if (error instanceof PermissionLost) {
    const message = 'The user who created the run lacks the permission; another user can create a new run';
    return { reason: 'permission', message, differences: [] };
  }
  const message = 'The run could not be computed; the log of the service says why. Create a new run';
  return { reason: 'internal', message, differences: [] };
}

/** Makes a run a draft again whose release failed, and audits that. A file that could not be stored has a public document that says so. */
async function failRelease(
  session: Session,
  key: RunKey,
  { parts, error, author }: { parts: PayrollParts; error: unknown; author: Author },
): Promise<void> {
  const failure = failureOf(error);
  await endWith(session, key, 'draft', failure);
  const rejected = {
    id: key.id,
    action: 'payroll_run.release' as const,
    reason: auditReasons[failure.reason],
  };
  await auditBatched(session, key.organizationId, [{ ...author, ...rejected, count: 1, age: 0 }]);
  if (!(error instanceof FilesNotStored)) return;
  const {
    tenant: tenantId,
    divisionId,
    formats: wanted,
    settings,
    period,
  } = await readRunOfJob(session, key);
  const { skippedOrders } = error;
  const place = { tenantId, divisionId, skippedOrders, terms: { settings, period } };
  const documents = wanted.map(format => emptyDocument(place, format, 'failed'));
  await runAtClock(session, key.organizationId, author, write => publishAll(write, parts, documents));
}

const auditReasons = {
  stale: 'stale_draft',
  files: 'file_not_stored',
  internal: 'internal_error',
  permission: 'permission_missing',
} as const satisfies Record<PayrollFailure['reason'], AuditReason>;

function failureOf(error: unknown): PayrollFailure {
  if (error instanceof PermissionLost) {
    const message = 'The user who released the run lacks the permission; another user can release it';
    return { reason: 'permission', message, differences: [] };
  }
  if (error instanceof StaleDraft) {
    const message = 'The amounts changed since the draft: discard the run and create a new one';
    return { reason: 'stale', message, differences: [...error.differences] };
  }
  if (error instanceof FilesNotStored) {
    const message = 'A file could not be stored, and nothing was released; release the run again';
    return { reason: 'files', message, differences: [] };
  }
  const message = 'The run could not be released; the log of the service says why. Release it again';
  return { reason: 'internal', message, differences: [] };
}

async function endWith(
  session: Queryable,
  { organizationId, id }: RunKey,
  status: 'draft' | 'discarded',
  failure: PayrollFailure,
): Promise<void> {
  await session.run(sql`
    UPDATE payroll_run SET status = ${status}, failure = ${JSON.stringify(failure)}::jsonb
    WHERE organization_id = ${organizationId} AND id = ${id} AND status IN ('computing', 'releasing')`);
}
