import type { Logger } from 'pino';
import type { Pool } from '../db/connect.ts';
import { isUnavailable } from '../db/failure.ts';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import { inLongTransaction, inTransaction, type Session } from '../db/transaction.ts';
import { repeat, type Repetition } from '../lib/interval.ts';
import { describeCause } from '../telemetry/cause.ts';

/*
 * A background job is a row of `background_job`:
 *
 * queued    the row exists, no transaction holds it
 * running   a worker holds the row lock, in the transaction that does the work
 * ended     the row is deleted, in the same transaction
 *
 * When a worker is killed, its connection ends, and the job is queued again with nothing of it done.
 */

export interface JobKey {
  readonly organizationId: string;
  readonly id: string;
}

/** Work of one type of background jobs. */
export interface BackgroundWork {
  readonly type: string;
  /** Works in the transaction that ends the job. `report` shows progress to others at once. */
  run(session: Session, job: JobKey & { readonly input: unknown }, report: Progress): Promise<void>;
  /** Records in a transaction of its own that the work failed and is given up. */
  failed(session: Session, job: JobKey & { readonly input: unknown }, error: unknown): Promise<void>;
}

/** Shows how much of the work is done. */
export type Progress = (done: number, total: number) => void;

/** `lost`: the database was not available, so the job stays queued. */
export type JobOutcome = 'done' | 'failed' | 'lost' | 'held by another worker' | 'absent';

/** Attempts after which a job is given up that ends its worker each time. */
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

/** The progress of a job; null before it reports. */
export async function readProgress(
  db: Queryable,
  { organizationId, id }: JobKey,
): Promise<{ done: number; total: number } | null> {
  const [row] = await db.rows<{ done: string; total: string }>(sql`
    SELECT done, total FROM background_job_progress WHERE organization_id = ${organizationId} AND job_id = ${id}`);
  return row ? { done: Number(row.done), total: Number(row.total) } : null;
}

export class BackgroundJobs {
  readonly #db: Pool;
  readonly #logger: Logger;
  readonly #works: ReadonlyMap<string, BackgroundWork>;

  constructor(parts: { db: Pool; logger: Logger; works: readonly BackgroundWork[] }) {
    this.#db = parts.db;
    this.#logger = parts.logger;
    this.#works = new Map(parts.works.map(work => [work.type, work]));
  }

  /** Runs what is queued, at once and then every `interval` milliseconds, until it is stopped. */
  start(interval: number): Repetition {
    return repeat(signal => this.#runQueued(signal), {
      interval,
      failed: error => this.#logger.warn({ cause: describeCause(error) }, 'background jobs were not read'),
    });
  }

  async #runQueued(signal: AbortSignal): Promise<void> {
    const queued = await this.#db.rows<JobKey>(sql`
      SELECT organization_id AS "organizationId", id FROM background_job ORDER BY queued_at LIMIT 20`);
    for (const job of queued) {
      if (signal.aborted) return;
      await this.run(job);
    }
  }

  /** Runs one job, unless another worker holds it. Errors of the work are logged and recorded, not thrown. @throws errors of the database */
  async run(key: JobKey): Promise<JobOutcome> {
    const begun = await inTransaction(this.#db, session => beginAttempt(session, key));
    if (typeof begun === 'string') return begun;
    const work = this.#works.get(begun.type);
    if (!work) return 'held by another worker';
    if (begun.attempts > maxAttempts)
      return this.#giveUp(work, key, new Error(`the job ended its worker ${maxAttempts} times`));
    try {
      return await inLongTransaction(this.#db, async session => {
        const job = await lockJob(session, key);
        if (typeof job === 'string') return job;
        await work.run(session, { ...key, input: job.input }, this.#reporter(key));
        await endJob(session, key);
        return 'done';
      });
    } catch (error) {
      this.#logger.warn(
        { job: begun.type, id: key.id, cause: describeCause(error) },
        'a background job failed',
      );
      if (isUnavailable(error)) return 'lost';
      return this.#giveUp(work, key, error);
    }
  }

  #giveUp(work: BackgroundWork, key: JobKey, error: unknown): Promise<JobOutcome> {
    return inTransaction(this.#db, async session => {
      const job = await lockJob(session, key);
      if (typeof job === 'string') return job;
      await work.failed(session, { ...key, input: job.input }, error);
      await endJob(session, key);
      return 'failed';
    });
  }

  /** Writes at most one report at a time; later ones replace the one that waits. */
  #reporter({ organizationId, id }: JobKey): Progress {
    let waiting: readonly [number, number] | null = null;
    let isWriting = false;
    const write = async () => {
      isWriting = true;
      while (waiting) {
        const [done, total] = waiting;
        waiting = null;
        // Progress is a hint: the work does not depend on it.
        await this.#db
          .run(
            sql`
          INSERT INTO background_job_progress (organization_id, job_id, done, total, at)
          VALUES (${organizationId}, ${id}, ${done}, ${total}, statement_timestamp())
          ON CONFLICT (organization_id, job_id) DO UPDATE SET done = excluded.done, total = excluded.total, at = excluded.at`,
          )
          .catch(() => {});
      }
      isWriting = false;
    };
    return (done, total) => {
      waiting = [done, total];
      if (!isWriting) void write();
    };
  }
}

interface StoredJob {
  readonly type: string;
  readonly input: unknown;
  readonly attempts: number;
}

async function beginAttempt(session: Session, key: JobKey) {
  const job = await lockJob(session, key);
  if (typeof job === 'string') return job;
  await session.run(sql`
    UPDATE background_job SET attempts = attempts + 1 WHERE organization_id = ${key.organizationId} AND id = ${key.id}`);
  return { ...job, attempts: job.attempts + 1 };
}

async function lockJob(session: Session, { organizationId, id }: JobKey) {
  const ofJob = sql`FROM background_job WHERE organization_id = ${organizationId} AND id = ${id}`;
  const [job] = await session.rows<StoredJob>(
    sql`SELECT type, input, attempts ${ofJob} FOR UPDATE SKIP LOCKED`,
  );
  if (job) return job;
  const exists = (await session.run(sql`SELECT ${ofJob}`)) > 0;
  return exists ? ('held by another worker' as const) : ('absent' as const);
}

async function endJob(session: Session, { organizationId, id }: JobKey): Promise<void> {
  await session.run(sql`DELETE FROM background_job WHERE organization_id = ${organizationId} AND id = ${id}`);
  await session.run(sql`
    DELETE FROM background_job_progress WHERE organization_id = ${organizationId} AND job_id = ${id}`);
}
