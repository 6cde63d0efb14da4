import type { HrPermission } from '@kontor/contract';
import type { Logger } from 'pino';
import type { Scope } from '../auth/scope.ts';
import type { Pool } from '../db/connect.ts';
import { isUnavailable } from '../db/failure.ts';
import type { Queryable } from '../db/session.ts';
import { runForOrganization, runForService } from '../db/session-caller.ts';
import { sql } from '../db/sql.ts';
import { inLongTransaction, inTransaction, type Session } from '../db/transaction.ts';
import { repeat, type Repetition } from '../lib/concurrency/interval.ts';
import { inSpan, inTrace } from '../lib/tracing.ts';
import { describeCause } from '../telemetry/cause.ts';
import {
  type Author,
  type Authority,
  authorize,
  findClosedOrganizations,
  holdOffMaintenance,
  readMaintenance,
  type WritePools,
} from '../write/writes.ts';
import { FairJobQueue } from './fair-queue.ts';
import { endJob, findNextJob, type JobKey, lockJob, type StoredJob } from './stored-jobs.ts';

export { cancelJob, continueJob, type JobKey, queueJob, readProgress } from './stored-jobs.ts';

/*
 * A background job is a row of `background_job`:
 *
 * | state   |                                                                               |
 * | ------- | ----------------------------------------------------------------------------- |
 * | queued  | the row exists, no transaction holds it                                       |
 * | running | a worker holds the row lock, in the transaction that does the work, or a part |
 * | ended   | the row is deleted, in the same transaction                                   |
 *
 * | transition       | cause                                                                                    |
 * | ---------------- | ---------------------------------------------------------------------------------------- |
 * | queued → running | its queue has a free place, and its organization waits the longest (`fair-queue.ts`)     |
 * | running → queued | a part is committed (`more`), the worker was killed, or the database was not available   |
 * | running → ended  | the work is done, its user lacks the permission, or it failed                            |
 *
 * When a worker is killed, its connection ends, and the job is queued again with nothing of its transaction done.
 */

/**
 * The queues, with the jobs that run at the same time in each process. Payroll is interactive: a user waits for it. The long work of
 * imports is bulk, and ends its parts within a second. So an import never takes a place of payroll.
 */
const queues = { interactive: 2, bulk: 1 } as const;
type QueueName = keyof typeof queues;
const queueNames = Object.keys(queues) as QueueName[];

/** A job as its work sees it. */
export interface RunningJob extends JobKey {
  /** What the last part left with {@link continueJob}; null before that. */
  readonly state: unknown;
  /** The tenant of the job. */
  readonly scope: Scope;
  /**
   * Locks the author until the end of the transaction, and checks the permission again, as each write of a request does. A part that
   * has not called it is rolled back. It comes before the organization clock and any row that writes of users wait for.
   * @throws PermissionLost
   */
  authorize(): Promise<Author>;
}

/** Work of one type of background jobs. */
export interface BackgroundWork {
  readonly type: string;
  readonly queue: QueueName;
  /** Required of a user in the tenant of the job, in each part of it. */
  readonly permission: HrPermission;
  /** The tenant of a job; null when nothing is left to do. */
  findTenant(session: Queryable, job: JobKey): Promise<string | null>;
  /** Works in a transaction, which ends the job unless the answer is `more`. `report` shows progress to others at once. */
  run(session: Session, job: RunningJob, report: Progress): Promise<'more' | void>;
  /** Records in a transaction of its own that the work failed and is given up. */
  failed(session: Session, job: JobKey & { readonly author: Author }, error: unknown): Promise<void>;
}

/** The author of a job has lost the permission for it. */
export class PermissionLost extends Error {
  override readonly name = 'PermissionLost';
}

/** Whether an active user has a permission for a tenant. */
export type HasPermission = (
  db: Queryable,
  user: { readonly organizationId: string; readonly id: string },
  permission: HrPermission,
  tenantId: string,
) => Promise<boolean>;

/** Shows how much of the work is done. */
export type Progress = (done: number, total: number) => void;

/** `lost`: the database was not available or the service stops, so the job stays queued. */
export type JobOutcome =
  | 'done'
  | 'failed'
  | 'lost'
  | 'held by another worker'
  | 'held by maintenance'
  | 'of another version'
  | 'absent';

/** Attempts after which a job is given up that ends its worker each time, or that the database cannot do. */
const maxAttempts = 5;

interface Parts {
  /** Jobs run on sessions of `writes`; `reads` has those for progress. */
  readonly pools: WritePools;
  readonly logger: Logger;
  readonly works: readonly BackgroundWork[];
  readonly hasPermission: HasPermission;
}

export class BackgroundJobs {
  readonly works: ReadonlyMap<string, BackgroundWork>;
  readonly #pools: WritePools;
  readonly #logger: Logger;
  readonly #hasPermission: HasPermission;
  readonly #stopping = new AbortController();
  readonly #queues: readonly FairJobQueue[];

  constructor({ pools, logger, works, hasPermission }: Parts) {
    this.works = new Map(works.map(work => [work.type, work]));
    this.#pools = pools;
    this.#logger = logger;
    this.#hasPermission = hasPermission;
    this.#queues = queueNames.map(name => this.#openQueue(name));
  }

  #openQueue(name: QueueName): FairJobQueue {
    const types = [...this.works.values()].filter(({ queue }) => queue === name).map(({ type }) => type);
    return new FairJobQueue({
      size: queues[name],
      next: async selection => {
        const { reads } = this.#pools;
        const [maintenance, closed] = await Promise.all([
          readMaintenance(reads),
          findClosedOrganizations(reads),
        ]);
        if (maintenance) return null;
        const busy = [...selection.busy, ...closed];
        return findNextJob(reads, types, { ...selection, busy });
      },
      run: async key => ['more', 'done', 'failed'].includes(await this.#runPart(key)),
      failed: error =>
        this.#logger.warn({ cause: describeCause(error) }, 'background jobs were not read or not ended'),
    });
  }

  /** Runs queued jobs until none is left, at once and then every `interval` milliseconds. Stopping rolls running parts back, so that another process takes them. */
  start(interval: number): Repetition {
    const repetition = repeat(async () => void (await this.#fillQueues()), { interval, failed: () => {} });
    return {
      stop: async () => {
        this.#stopping.abort();
        await repetition.stop();
        await Promise.all(this.#queues.map(queue => queue.stop()));
      },
    };
  }

  /** Starts queued jobs, each when its organization is next. */
  wake(): void {
    void this.#fillQueues();
  }

  #fillQueues(): Promise<unknown> {
    return runForService(() => Promise.all(this.#queues.map(queue => queue.retry())));
  }

  /** Runs one job to its end at once, for a command. Errors of the work are logged and recorded, not thrown. @throws errors of the database */
  async run(key: JobKey): Promise<JobOutcome> {
    let outcome = await this.#runPart(key);
    while (outcome === 'more') outcome = await this.#runPart(key);
    return outcome;
  }

  #runPart(key: JobKey): Promise<JobOutcome | 'more'> {
    return runForOrganization(key.organizationId, 'background job', () =>
      inTrace('background job', () => this.#tryPart(key)),
    );
  }

  async #tryPart(key: JobKey): Promise<JobOutcome | 'more'> {
    if (this.#stopping.signal.aborted) return 'lost';
    const progress = new ProgressReporter(this.#pools.reads, key, this.#stopping.signal);
    try {
      return await inLongTransaction(this.#pools.writes, session => this.#work(session, key, progress));
    } catch (error) {
      await progress.end();
      if (error instanceof JobStopped) {
        await this.#countAttempt(key, -1);
        return 'lost';
      }
      if (!(error instanceof PermissionLost)) this.#warn(key, error);
      return isUnavailable(error) ? 'lost' : await this.#giveUp(key, error);
    }
  }

  async #work(session: Session, key: JobKey, progress: ProgressReporter): Promise<JobOutcome | 'more'> {
    const job = await lockJob(session, key);
    if (typeof job === 'string') return job;
    const work = this.works.get(job.type);
    if (!work) return 'of another version';
    // It may have begun after the job was found.
    if (await holdOffMaintenance(session, job.author)) return 'held by maintenance';
    if ((await this.#countAttempt(key, 1)) > maxAttempts) {
      const error = new Error(`the job ended its worker ${maxAttempts} times`);
      this.#warn(key, error);
      await fail(session, { work, key, author: job.author, error });
      return 'failed';
    }
    const rest = await inSpan(work.type, () => this.#runWork(session, { key, work, ...job }, progress));
    await progress.end();
    if (rest === 'more') {
      // Only attempts in a row that get nowhere are counted: a long job may lose many workers on its way.
      await session.run(sql`
        UPDATE background_job_progress SET attempts = 0
        WHERE organization_id = ${key.organizationId} AND job_id = ${key.id}`);
      return 'more';
    }
    await endJob(session, key);
    return 'done';
  }

  async #runWork(
    session: Session,
    { key, work, author, state }: { key: JobKey; work: BackgroundWork } & StoredJob,
    progress: ProgressReporter,
  ): Promise<'more' | void> {
    const tenantId = await work.findTenant(session, key);
    if (tenantId === null) return;
    const { organizationId } = key;
    const authority = this.#authorityOf(work, { organizationId, tenantId, author });
    const scope: Scope = {
      organizationId,
      callerId: `job of ${tenantId}`,
      grants: [{ tenantId, divisions: 'all' }],
    };
    let isAuthorized = false;
    const job: RunningJob = {
      ...key,
      state,
      scope,
      async authorize() {
        if (!isAuthorized) await authorize(session, { scope: { organizationId }, caller: { authority } });
        isAuthorized = true;
        return author;
      },
    };
    const rest = await work.run(session, job, progress.report);
    if (!isAuthorized) throw new Error(`the work of ${work.type} has not called authorize()`);
    return rest;
  }

  /** Null for a platform token and a command, as in requests. The session of a user may have ended since. */
  #authorityOf(
    { permission }: BackgroundWork,
    { organizationId, tenantId, author }: { organizationId: string; tenantId: string; author: Author },
  ): Authority | null {
    const { type, id: userId } = author.actor;
    if (type !== 'user') return null;
    return {
      userId,
      check: async db => {
        const user = { organizationId, id: userId };
        if (await this.#hasPermission(db, user, permission, tenantId)) return;
        throw new PermissionLost(`the user of the job lacks ${permission} for its tenant`);
      },
    };
  }

  #giveUp(key: JobKey, error: unknown): Promise<JobOutcome> {
    return inTransaction(this.#pools.writes, async session => {
      const job = await lockJob(session, key);
      if (typeof job === 'string') return job;
      const work = this.works.get(job.type)!;
      await fail(session, { work, key, author: job.author, error });
      return 'failed';
    });
  }

  /** Commits at once, while the job is held: only attempts that held the job count, and they count when their worker is killed. */
  async #countAttempt({ organizationId, id }: JobKey, change: 1 | -1): Promise<number> {
    const count = sql`
      INSERT INTO background_job_progress AS p (organization_id, job_id, attempts)
      VALUES (${organizationId}, ${id}, ${change})
      ON CONFLICT (organization_id, job_id) DO UPDATE SET attempts = p.attempts + excluded.attempts RETURNING attempts`;
    const [row] = await this.#pools.reads.rows<{ attempts: number }>(count, { shared: false });
    return row!.attempts;
  }

  #warn({ id }: JobKey, error: unknown): void {
    this.#logger.warn({ id, cause: describeCause(error) }, 'a background job failed');
  }
}

async function fail(
  session: Session,
  { work, key, author, error }: { work: BackgroundWork; key: JobKey; author: Author; error: unknown },
): Promise<void> {
  await work.failed(session, { ...key, author }, error);
  await endJob(session, key);
}

/** The service is shut down. */
class JobStopped extends Error {
  override readonly name = 'JobStopped';
}

/** Writes at most one report at a time, on a connection of its own; later ones replace the one that waits. */
class ProgressReporter {
  readonly #db: Pool;
  readonly #key: JobKey;
  readonly #stopping: AbortSignal;
  #waiting: readonly [number, number] | null = null;
  #writing: Promise<void> | null = null;

  constructor(db: Pool, key: JobKey, stopping: AbortSignal) {
    this.#db = db;
    this.#key = key;
    this.#stopping = stopping;
  }

  /** @throws JobStopped */
  readonly report: Progress = (done, total) => {
    if (this.#stopping.aborted) throw new JobStopped();
    this.#waiting = [done, total];
    this.#writing ??= this.#write();
  };

  /** Resolves when nothing is written any more, so that the row of a job that ends can be deleted. */
  async end(): Promise<void> {
    this.#waiting = null;
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { organizationId, id } = this.#key;
    while (this.#waiting) {
      const [done, total] = this.#waiting;
      this.#waiting = null;
      const update = sql`
        UPDATE background_job_progress SET done = ${done}, total = ${total}
        WHERE organization_id = ${organizationId} AND job_id = ${id}`;
      // Progress is a hint: the work does not depend on it.
      await this.#db.run(update, { shared: false }).catch(() => {});
    }
    this.#writing = null;
  }
}
