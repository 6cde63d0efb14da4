import { setTimeout as delay } from 'node:timers/promises';
import { withProcessLock } from '../db/process-lock.ts';
import type { Database } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import { callOf, findClosedOrganizations, system, type Writes } from '../write/writes.ts';
import type { Job, Due } from './job.ts';

/** Resources that one search returns, and resources in one write, as other writes of the organization wait for it. */
const foundAtOnce = 500;
const writtenAtOnce = 50;

/** Milliseconds that the search for due resources may take. */
const inspectDeadline = 60_000;

export interface JobParts {
  readonly database: Pick<Database, 'reads' | 'target'>;
  readonly writes: Writes;
  /** When it is aborted, the run ends after the write in progress. */
  readonly signal: AbortSignal;
}

export interface JobEvents {
  readonly inspected: (due: readonly Due[]) => void;
  readonly done: (count: number) => void;
  /** The rest of an organization was left for the next run. */
  readonly postponed: (organizationId: string, error: unknown) => void;
}

/**
 * Processes the due resources of all organizations in rounds, unless another process is running the job. A pause as long as each write lets other
 * writes of the organization run. Each write checks again what is due, so a run may be interrupted anywhere.
 * @throws database errors that concern all organizations
 */
export async function runJob(job: Job, parts: JobParts, events: JobEvents): Promise<void> {
  const { database } = parts;
  const due = await inspect(job, database);
  events.inspected(due);
  if (due.length === 0) return;
  const hadLock = await withProcessLock(database.target, job.name, checkLock =>
    workThrough(job, organizationsOf(due), { ...parts, checkLock }, events),
  );
  if (hadLock && !parts.signal.aborted) events.inspected(await inspect(job, database));
}

/** Uses a longer timeout than requests, as there may be many due resources. Closed organizations are left out. */
function inspect(job: Job, { reads }: Pick<Database, 'reads'>): Promise<Due[]> {
  return inTransaction(
    reads,
    async session => {
      const due = await job.inspect(session);
      if (due.length === 0) return due;
      const closed = await findClosedOrganizations(session);
      return due.filter(({ organizationId }) => !closed.has(organizationId));
    },
    {
      deadline: inspectDeadline,
      settings: () => ({ statement_timeout: String(inspectDeadline - 100) }),
    },
  );
}

function organizationsOf(due: readonly Due[]): string[] {
  return [...new Set(due.map(({ organizationId }) => organizationId))];
}

type Working = JobParts & { readonly checkLock: () => Promise<void> };

/** Works in rounds, so that no organization waits for all resources of another one. */
async function workThrough(
  job: Job,
  organizations: readonly string[],
  working: Working,
  events: JobEvents,
): Promise<void> {
  let waiting = organizations;
  while (waiting.length > 0) {
    const more: string[] = [];
    for (const organizationId of waiting) {
      if (working.signal.aborted) return;
      if (await workOn(job, organizationId, working, events)) more.push(organizationId);
    }
    waiting = more;
  }
}

/** Processes one search result of an organization. Returns whether there may be more. */
async function workOn(
  job: Job,
  organizationId: string,
  working: Working,
  events: JobEvents,
): Promise<boolean> {
  const { reads } = working.database;
  const ids = await inTransaction(reads, session => job.find(session, organizationId, foundAtOnce));
  let count = 0;
  for (let at = 0; at < ids.length && !working.signal.aborted; at += writtenAtOnce) {
    await working.checkLock();
    try {
      count += await takeWrite(job, organizationId, ids.slice(at, at + writtenAtOnce), working, events);
    } catch (error) {
      // The next run tries again. The other organizations continue.
      events.postponed(organizationId, error);
      return false;
    }
  }
  return count > 0 && ids.length === foundAtOnce;
}

async function takeWrite(
  job: Job,
  organizationId: string,
  ids: readonly string[],
  { writes, signal }: Working,
  events: JobEvents,
): Promise<number> {
  const began = performance.now();
  const count = await job.carryOut(writes, callOf(organizationId, system), ids);
  events.done(count);
  await delay(performance.now() - began, undefined, { signal }).catch(() => {});
  return count;
}
