import { setTimeout as delay } from 'node:timers/promises';
import { withProcessLock } from '../db/process-lock.ts';
import type { Database } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import { system, type Writes } from '../write/writes.ts';
import type { Job, Due } from './job.ts';

/** Resources that are looked for at once, and that go into one write, which keeps the other writes of the organization waiting. */
const foundAtOnce = 500;
const writtenAtOnce = 50;

/** Milliseconds that a look at what is due may take. */
const inspectDeadline = 60_000;

/** What a job works on. */
export interface JobParts {
  readonly database: Pick<Database, 'reads' | 'target'>;
  readonly writes: Writes;
  /** When it is aborted the run ends with the write in progress. */
  readonly signal: AbortSignal;
}

/** What is told of a run. */
export interface JobEvents {
  /** What there is to be done. */
  readonly inspected: (due: readonly Due[]) => void;
  /** It was done to so many resources. */
  readonly done: (count: number) => void;
  /** The rest of what is due in an organization stays for the next run. */
  readonly postponed: (organizationId: string, error: unknown) => void;
}

/**
 * Does what is due in all organizations, alternately, unless another process is at it. Each turn is small and is followed by a pause
 * as long as itself, so that an organization always writes on, however much is due. What is still due is decided in the write
 * again, so it never matters where a run before this one has ended.
 * @throws those of the database that concern all organizations
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

/** What is due, found however long it has gathered. */
function inspect(job: Job, { reads }: Pick<Database, 'reads'>): Promise<Due[]> {
  return inTransaction(reads, session => job.inspect(session), {
    deadline: inspectDeadline,
    settings: () => ({ statement_timeout: String(inspectDeadline - 100) }),
  });
}

function organizationsOf(due: readonly Due[]): string[] {
  return [...new Set(due.map(({ organizationId }) => organizationId))];
}

type Working = JobParts & { readonly checkLock: () => Promise<void> };

/** By rounds, so that no organization waits for all that is due in another one. */
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

/** Does what is found at once in an organization; whether there may be more. */
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
      // The next run sees whether it is better then: the other organizations need not wait for that.
      events.postponed(organizationId, error);
      return false;
    }
  }
  return count > 0 && ids.length === foundAtOnce;
}

/** One turn, and the pause behind it. */
async function takeWrite(
  job: Job,
  organizationId: string,
  ids: readonly string[],
  { writes, signal }: Working,
  events: JobEvents,
): Promise<number> {
  const began = performance.now();
  const count = await job.carryOut(
    writes,
    { organizationId, author: system, authority: null, dryRunAt: null },
    ids,
  );
  events.done(count);
  await delay(performance.now() - began, undefined, { signal }).catch(() => {});
  return count;
}
