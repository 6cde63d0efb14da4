import type { Logger } from 'pino';
import type { Pool } from '../db/connect.ts';
import { isUnavailable } from '../db/failure.ts';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import { inLongTransaction, inTransaction, type Session } from '../db/transaction.ts';
import { repeat, type Repetition } from '../lib/interval.ts';
import { Limiter } from '../lib/limiter.ts';
import { inSpan, inTrace } from '../lib/tracing.ts';
import { describeCause } from '../telemetry/cause.ts';
import type { WritePools } from '../write/writes.ts';

/*
 * A background job is a row of `background_job`:
 *
 * | state   |                                                                               |
 * | ------- | ----------------------------------------------------------------------------- |
 * | queued  | the row exists, no transaction holds it                                       |
 * | running | a worker holds the row lock, in the transaction that does the work            |
 * | ended   | the row is deleted, in the same transaction                                   |
 *
 * Work that answers `more` commits a part, and its job stays: other writes wait for a part at most. The next transaction goes on.
 *
 * When a worker is killed, its connection ends, and the job is queued again with nothing of its transaction done.
 */

export interface JobKey {
  readonly organizationId: string;
  readonly id: string;
}

/** Work of one type of background jobs. */
export interface BackgroundWork {
  readonly type: string;
  /** Works in a transaction, which ends the job unless the answer is `more`. `report` shows progress to others at once. */
  run(session: Session, job: JobKey & { readonly input: unknown }, report: Progress): Promise<'more' | void>;
  /** Records in a transaction of its own that the work failed and is given up. */
  failed(session: Session, job: JobKey & { readonly input: unknown }, error: unknown): Promise<void>;
}

/** Shows how much of the work is done. */
export type Progress = (done: number, total: number) => void;

/** `lost`: the database was not available or the service stops, so the job stays queued. */
export type JobOutcome =
  'done' | 'failed' | 'lost' | 'held by another worker' | 'of another version' | 'absent';

/** Attempts after which a job is given up that ends its worker each time, or that the database cannot do. */
const maxAttempts = 5;

/** Queues a job in the transaction of its cause. */
export function queueJob(
  send: (statement: ReturnType<typeof sql>) => void,
  job: JobKey & { type: string; input: object },
): void {
  send(sql`
    INSERT INTO background_job (organization_id, id, type, input, queued_at)
    VALUES (${job.organizationId}, ${job.id}, ${job.type}, ${JSON.stringify(job.input)}::jsonb, statement_timestamp())`);
}

/** Removes a job that no worker holds. One that a worker holds ends by itself. */
export function cancelJob(
  send: (statement: ReturnType<typeof sql>) => void,
  { organizationId, id }: JobKey,
): void {
  const ofJob = sql`FROM background_job WHERE organization_id = ${organizationId} AND id = ${id}`;
  send(sql`
    DELETE FROM background_job
    WHERE organization_id = ${organizationId} AND id IN (SELECT id ${ofJob} FOR UPDATE SKIP LOCKED)`);
  send(sql`
    DELETE FROM background_job_progress
    WHERE organization_id = ${organizationId} AND job_id = ${id} AND NOT EXISTS (SELECT ${ofJob})`);
}

/** The progress of a job; null before it reports. */
export async function readProgress(
  db: Queryable,
  { organizationId, id }: JobKey,
): Promise<{ done: number; total: number } | null> {
  const [row] = await db.rows<{ done: string; total: string }>(sql`
    SELECT done, total FROM background_job_progress
    WHERE organization_id = ${organizationId} AND job_id = ${id} AND total IS NOT NULL`);
  return row ? { done: Number(row.done), total: Number(row.total) } : null;
}

/** Jobs of this process that run at the same time, as each holds a connection. An organization has one of them. */
const maxRunning = 2;

export class BackgroundJobs {
  readonly #pools: WritePools;
  readonly #logger: Logger;
  readonly #works: ReadonlyMap<string, BackgroundWork>;
  readonly #stopping = new AbortController();
  readonly #limiter = new Limiter({
    running: { inAll: maxRunning, perKey: 1 },
    waiting: { inAll: Infinity, perKey: Infinity },
    tooMany: 'Too many background jobs wait',
  });

  /** Jobs run on sessions of `writes`; `reads` has those for progress. */
  constructor(parts: { pools: WritePools; logger: Logger; works: readonly BackgroundWork[] }) {
    this.#pools = parts.pools;
    this.#logger = parts.logger;
    this.#works = new Map(parts.works.map(work => [work.type, work]));
  }

  /** Runs what is queued, at once and then every `interval` milliseconds. Stopping rolls running jobs back, so that another process takes them. */
  start(interval: number): Repetition {
    const repetition = repeat(() => this.#runQueued(), {
      interval,
      failed: error => this.#logger.warn({ cause: describeCause(error) }, 'background jobs were not read'),
    });
    return {
      stop: async () => {
        this.#stopping.abort();
        await repetition.stop();
      },
    };
  }

  async #runQueued(): Promise<void> {
    const queued = await this.#pools.reads.rows<JobKey>(sql`
      SELECT organization_id AS "organizationId", id FROM background_job ORDER BY queued_at LIMIT 20`);
    await Promise.all(queued.map(job => this.run(job)));
  }

  /** Runs one job, unless another worker holds it. Errors of the work are logged and recorded, not thrown. @throws errors of the database */
  run(key: JobKey): Promise<JobOutcome> {
    return this.#limiter.run(key.organizationId, () =>
      inTrace('background job', async () => {
        let outcome = await this.#run(key);
        while (outcome === 'more') outcome = await this.#run(key);
        return outcome;
      }),
    );
  }

  async #run(key: JobKey): Promise<JobOutcome | 'more'> {
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
      this.#warn(key, error);
      return isUnavailable(error) ? 'lost' : await this.#giveUp(key, error);
    }
  }

  async #work(session: Session, key: JobKey, progress: ProgressReporter): Promise<JobOutcome | 'more'> {
    const job = await lockJob(session, key);
    if (typeof job === 'string') return job;
    const work = this.#works.get(job.type);
    if (!work) return 'of another version';
    if ((await this.#countAttempt(key, 1)) > maxAttempts) {
      const error = new Error(`the job ended its worker ${maxAttempts} times`);
      this.#warn(key, error);
      await fail(session, { work, key, input: job.input, error });
      return 'failed';
    }
    const rest = await inSpan(work.type, () =>
      work.run(session, { ...key, input: job.input }, progress.report),
    );
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

  #giveUp(key: JobKey, error: unknown): Promise<JobOutcome> {
    return inTransaction(this.#pools.writes, async session => {
      const job = await lockJob(session, key);
      if (typeof job === 'string') return job;
      const work = this.#works.get(job.type)!;
      await fail(session, { work, key, input: job.input, error });
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
  { work, key, input, error }: { work: BackgroundWork; key: JobKey; input: unknown; error: unknown },
): Promise<void> {
  await work.failed(session, { ...key, input }, error);
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

interface StoredJob {
  readonly type: string;
  readonly input: unknown;
}

async function lockJob(session: Session, { organizationId, id }: JobKey) {
  const ofJob = sql`FROM background_job WHERE organization_id = ${organizationId} AND id = ${id}`;
  const [job] = await session.rows<StoredJob>(sql`SELECT type, input ${ofJob} FOR UPDATE SKIP LOCKED`);
  if (job) return job;
  const exists = (await session.run(sql`SELECT ${ofJob}`)) > 0;
  return exists ? ('held by another worker' as const) : ('absent' as const);
}

async function endJob(session: Session, { organizationId, id }: JobKey): Promise<void> {
  await session.run(sql`DELETE FROM background_job WHERE organization_id = ${organizationId} AND id = ${id}`);
  await session.run(sql`
    DELETE FROM background_job_progress WHERE organization_id = ${organizationId} AND job_id = ${id}`);
}
