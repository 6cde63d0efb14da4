import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import type { Session } from '../db/transaction.ts';
import { type Author, system, type Write } from '../write/writes.ts';

export interface JobKey {
  readonly organizationId: string;
  readonly id: string;
}

/** Which job is the next one of a queue. */
export interface Selection {
  /** Organizations whose jobs wait: closed ones, and those with a running job, as a queue runs one job of an organization at a time. */
  readonly busy: readonly string[];
  /** Jobs that this process could not run. */
  readonly setAside: readonly string[];
  /** Organizations that were served, the longest ago first. One that is absent comes before all of them. */
  readonly served: readonly string[];
}

interface Input {
  /** Absent in drafts and plans that the release 0.2.0 has queued. */
  readonly author?: Author;
  /** Absent before the first part. */
  readonly state?: unknown;
}

export interface StoredJob {
  readonly type: string;
  readonly author: Author;
  /** What the last part left to this one; null before the first part. */
  readonly state: unknown;
}

/** Queues a job for the author of the write, in the transaction of its cause. */
export function queueJob(write: Write, { id, type }: { id: string; type: string }): void {
  const input: Input = { author: write.author };
  write.send(sql`
    INSERT INTO background_job (organization_id, id, type, input, queued_at)
    VALUES (${write.organizationId}, ${id}, ${type}, ${JSON.stringify(input)}::jsonb, statement_timestamp())`);
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

/** The next job of some types, in all organizations; null: none is queued. */
export async function findNextJob(
  db: Queryable,
  types: readonly string[],
  { busy, setAside, served }: Selection,
): Promise<JobKey | null> {
  const [job] = await db.rows<JobKey>(sql`
    SELECT organization_id AS "organizationId", id FROM background_job
    WHERE type = ANY(${[...types]}::text[]) AND organization_id <> ALL(${[...busy]}::text[])
      AND id <> ALL(${[...setAside]}::text[])
    ORDER BY array_position(${[...served]}::text[], organization_id) NULLS FIRST, queued_at, id LIMIT 1`);
  return job ?? null;
}

/** Locks a job until the end of the transaction, unless another worker holds it. */
export async function lockJob(
  session: Session,
  { organizationId, id }: JobKey,
): Promise<StoredJob | 'held by another worker' | 'absent'> {
  const ofJob = sql`FROM background_job WHERE organization_id = ${organizationId} AND id = ${id}`;
  const [job] = await session.rows<{ type: string; input: Input }>(sql`
    SELECT type, input ${ofJob} FOR UPDATE SKIP LOCKED`);
  if (job) return { type: job.type, author: job.input.author ?? system, state: job.input.state ?? null };
  const exists = (await session.run(sql`SELECT ${ofJob}`)) > 0;
  return exists ? 'held by another worker' : 'absent';
}

/** Leaves a state to the next part of a job, in the transaction of this part. */
export async function continueJob(
  session: Session,
  { organizationId, id }: JobKey,
  { type, state }: { type: string; state: object },
): Promise<void> {
  await session.run(sql`
    UPDATE background_job SET type = ${type}, input = input || ${JSON.stringify({ state })}::jsonb
    WHERE organization_id = ${organizationId} AND id = ${id}`);
}

export async function endJob(session: Session, { organizationId, id }: JobKey): Promise<void> {
  await session.run(sql`DELETE FROM background_job WHERE organization_id = ${organizationId} AND id = ${id}`);
  await session.run(sql`
    DELETE FROM background_job_progress WHERE organization_id = ${organizationId} AND job_id = ${id}`);
}
