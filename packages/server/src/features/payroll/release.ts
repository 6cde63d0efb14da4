import {
  ApiError,
  type AuditReason,
  type PayrollDifference,
  payrollDifferenceMaximum,
  type PayrollExportDocument,
  type PayrollFailure,
  type PayrollReleaseObstacle,
  type PayrollRun,
  type PayrollSettings,
} from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Session } from '../../db/transaction.ts';
import { type FileStore, FileStoreError } from '../../files/file-store.ts';
import { type BackgroundWork, PermissionLost, queueJob, type RunningJob } from '../../jobs/background.ts';
import { runAtClock } from '../../write/run-at-clock.ts';
import { auditBatched, type Author, type Write, type WriteAtClock } from '../../write/writes.ts';
import {
  assessRun,
  compareWithDraft,
  countDraft,
  deleteDraft,
  draftLeftovers,
  entriesOf,
  type Working,
} from './draft.ts';
import { settingsIn } from './computation/facts.ts';
import { emptyDocument, type FilesOfRun, type NewDocument, storeFiles } from './files/files.ts';
import { clientSettings } from './formats/format.ts';
import { readTenantName } from './read.ts';
import { insertEntries, type ReleasedOrder, type RunKey } from './ledger.ts';
import type { AssessedOrder } from './report.ts';
import { actorOf, findTenantOfJob, lockRun, numberOf, readRunOfJob, type RunRow } from './runs.ts';
import { checkMove, moveRun } from './states.ts';

export interface ReleaseParts {
  readonly files: FileStore;
  /** Stores a public payroll export document. */
  readonly publish: (write: WriteAtClock, document: PayrollExportDocument) => void;
}

/**
 * Queues the release of a draft. Returns false for a run that is released or being released, which stays as it is.
 * @throws ApiError NOT_FOUND, INVALID_STATE_TRANSITION for a run that is no draft, is stale or has errors, PERMISSION_DENIED
 */
export async function beginRelease(write: Write, session: Queryable, id: string): Promise<boolean> {
  const run = await lockRun(write, session, id);
  if (!checkMove(run.status, 'release')) return false;
  const obstacle = releaseObstacle(run, settingsIn(run.versions, run.period), {
    actor: actorOf(write.author),
  });
  if (obstacle !== null) throw obstacleError(obstacle, run);
  write.send(moveRun('release', { organizationId: write.organizationId, id }, sql`, failure = NULL`));
  queueJob(write, { id, type: 'payroll_release' });
  return true;
}

interface Releasing {
  readonly actor: Pick<PayrollRun['createdBy'], 'id'>;
  /** Permissions of a portal user; absent where the operation has checked them. */
  readonly permissions?: ReadonlySet<string>;
}

/** Why this caller cannot release a draft; null: it can. */
export function releaseObstacle(
  run: Pick<RunRow, 'failure' | 'summary' | 'createdBy'>,
  settings: Pick<PayrollSettings, 'releaseBySecondActor'>,
  { actor, permissions }: Releasing,
): PayrollReleaseObstacle | null {
  if (run.failure?.reason === 'stale') return 'stale';
  if (run.summary!.errors > 0) return 'errors';
  if (permissions?.has('PAYROLL_RELEASE') === false) return 'permission';
  if (settings.releaseBySecondActor && actor.id === run.createdBy.id) return 'second_actor';
  return null;
}

function obstacleError(
  obstacle: PayrollReleaseObstacle,
  { failure, summary }: Pick<RunRow, 'failure' | 'summary'>,
): ApiError {
  if (obstacle === 'stale') return new ApiError('INVALID_STATE_TRANSITION', failureText(failure!));
  if (obstacle === 'errors')
    return new ApiError(
      'INVALID_STATE_TRANSITION',
      `The report of the run has ${summary!.errors} errors: fix them, discard the run and create a new one`,
    );
  return new ApiError(
    'PERMISSION_DENIED',
    'A different user or token than the creator of the run must release it',
  );
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
  parts: ReleaseParts,
): Promise<void> {
  const { session, run, key } = working;
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
    kind: run.kind,
    tenantName: await readTenantName(session, key, run.tenant),
    number: await numberOf(session, organizationId, run),
    terms: { versions: run.versions, period: run.period },
  };
  const documents = await storeFiles({ session, files: parts.files }, ofRun).catch((error: unknown) => {
    throw error instanceof FileStoreError ? new FilesNotStored(report.skippedOrders, error) : error;
  });
  const author = await key.authorize();
  await deleteDraft(session, key);
  await runAtClock(session, organizationId, author, write => {
    publishAll(write, parts, documents);
    const ids = documents.map(({ id }) => id);
    const releasedBy = JSON.stringify(actorOf(author));
    write.send(
      moveRun(
        'released',
        key,
        sql`, document_ids = ${ids}::text[], released_at = ${write.at}, released_by = ${releasedBy}::jsonb,
          head = ${JSON.stringify(clientSettings(settingsIn(run.versions, run.period)))}::jsonb`,
      ),
    );
    write.audit({ id, action: 'payroll_run.release' });
  });
}

/** Empty for an order that could not be computed. One without entries counts, as runs after a cut-off use its basis. */
function releasedOf(order: AssessedOrder): ReleasedOrder[] {
  const { facts, assessment } = order;
  if (assessment.basis === null) return [];
  return [{ ...facts, basis: assessment.basis, entries: entriesOf(order) }];
}

function publishAll(write: WriteAtClock, { publish }: ReleaseParts, documents: readonly NewDocument[]): void {
  const { instant } = write;
  const stamps = { generatedAt: instant, createdAt: instant, updatedAt: instant };
  for (const document of documents) publish(write, { ...document, ...stamps });
}

/** The background job that releases a draft. */
export function releaseWork(parts: ReleaseParts): BackgroundWork {
  return {
    type: 'payroll_release',
    queue: 'interactive',
    permission: 'PAYROLL_RELEASE',
    findTenant: (session, key) => findTenantOfJob(session, key, 'releasing'),
    async run(session, job, progress) {
      const run = await readRunOfJob(session, job);
      await release({ session, run, key: job, progress }, parts);
    },
    failed: (session, { author, ...key }, error) => failRelease(session, key, { parts, error, author }),
  };
}

/** Makes a run a draft again whose release failed, and audits that. A file that could not be stored has a public document that says so. */
async function failRelease(
  session: Session,
  key: RunKey,
  { parts, error, author }: { parts: ReleaseParts; error: unknown; author: Author },
): Promise<void> {
  const failure = failureOf(error);
  await session.run(moveRun('not_released', key, sql`, failure = ${JSON.stringify(failure)}::jsonb`));
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
    versions,
    period,
  } = await readRunOfJob(session, key);
  const { skippedOrders } = error;
  const place = { tenantId, divisionId, skippedOrders, terms: { versions, period } };
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

/** Why a release failed, with its first differences. */
export function failureText({ message, differences }: PayrollFailure): string {
  const first = differences
    .slice(0, 3)
    .map(
      ({ orderId, month, kind, draft, now }) =>
        `${kind} of order ${orderId} in ${month}: ${draft ?? 'none'} → ${now ?? 'none'}`,
    );
  const more = differences.length > 3 ? [`… ${differences.length - 3} more in failure.differences`] : [];
  return [message, ...first, ...more].join('; ');
}
