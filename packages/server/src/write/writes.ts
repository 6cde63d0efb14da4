import type { Pool } from '../db/connect.ts';
import { isRefused } from '../db/failure.ts';
import type { Queryable } from '../db/session.ts';
import { inTransaction, type Session } from '../db/transaction.ts';
import { type Actor, type Author, type Authority, type Authorized, authorize } from './author.ts';
import { readClock } from './clock.ts';
import { writeTimeout, WriteQueue } from './queue.ts';
import { type Submission, tryWrite, workAt, workAtClock, writeAll } from './transaction.ts';
import { type BatchedWrite, type Outcome, singleKind, type SingleWrite, type Turn } from './write-kind.ts';

export { type Actor, type Author, type Authority, lockUsers, operator, system } from './author.ts';
export { type AuditedTogether, auditEach, auditTogether, countEach, type Family } from './effects.ts';
export {
  accepted,
  decideEach,
  type Entry,
  placesOf,
  type SingleWrite,
  type Turn,
  type WriteKind,
} from './write-kind.ts';

/*
 * There are four ways to write:
 *
 * |                               | with the clock, in order | without the clock        |
 * | ----------------------------- | ------------------------ | ------------------------ |
 * | a request, may be a dry run   | Writes.runOrdered        | Writes.runUnordered      |
 * | a command, no dry run         | writeOrdered             | writeUnordered           |
 *
 * With the clock, an organization has one write at a time, and clients of the public API can poll for what it changes. Without it, a
 * write waits for no other one, and locks itself what it changes.
 */

/** Who asks for a write, and how. */
export interface WriteRequest extends Authorized {
  readonly author: Author;
  /** Of a dry run the instant of the request, which it stamps; null for a write that stays. */
  readonly dryRunAt: Date | null;
}

/** What asks for a write: a call of an operation. */
interface Asking {
  readonly caller: { readonly actor: Actor; readonly authority: Authority | null };
  readonly scope: { readonly organizationId: string };
  readonly requestId: string;
  readonly address: string;
  readonly dryRun: boolean;
  readonly receivedAt: Date;
}

/** The request for a write that a call of an operation is. */
export function requestOf({ caller, scope, requestId, address, dryRun, receivedAt }: Asking): WriteRequest {
  return {
    organizationId: scope.organizationId,
    author: { actor: caller.actor, requestId, address },
    authority: caller.authority,
    dryRunAt: dryRun ? receivedAt : null,
  };
}

/** Longest wait of a dry run for a lock, in milliseconds (specification.md 4.2). */
const dryRunTimeout = 100;

/** The pool of the writes, and the one of dry runs, which wait for nobody. */
export interface WritePools {
  readonly reads: Pool;
  readonly writes: Pool;
}

/** The writes of this process, in one queue for each organization. */
export class Writes {
  readonly #pools: WritePools;
  readonly #queue: WriteQueue<Submission, Outcome<unknown>>;

  constructor(pools: WritePools) {
    this.#pools = pools;
    this.#queue = new WriteQueue<Submission, Outcome<unknown>>({
      write(organizationId, submissions, timeout) {
        const until = performance.now() + timeout;
        return inTransaction(pools.writes, session => writeAll(session, organizationId, submissions), {
          ahead: true,
          settings: () => settingsOf(until - performance.now()),
        });
      },
      targets: ({ kind, input }) => kind.targets(input),
      isRefused,
      now: () => performance.now(),
    });
  }

  /** How many writes wait in the queues, for metrics. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /**
   * Makes a write in the next transaction of its organization that has room for it, and returns its result. A write that depends on an
   * authority or has a stage has a transaction of its own, which waits for the clock in the database. A dry run takes no clock: it runs
   * the same statements and is rolled back.
   * @throws SERVICE_UNAVAILABLE when it had to wait for too long, those of the write and of the authority; then nothing is stored.
   */
  async runOrdered<Input, Found, Result>(
    request: WriteRequest,
    write: SingleWrite<Found, Result> | BatchedWrite<Input, Found, Result>,
  ): Promise<Result> {
    const { organizationId, author, authority, dryRunAt } = request;
    const { kind, input } = 'kind' in write ? write : { kind: singleKind, input: write };
    const submission = { kind, input, author } as Submission;
    const stage = 'stage' in write ? write.stage : undefined;
    const run = () => {
      if (dryRunAt !== null)
        return this.#inDryRun(async session => {
          await authorize(session, request);
          return tryWrite(session, organizationId, submission, dryRunAt);
        }, true);
      if (authority !== null || stage !== undefined) return this.#runApart(request, submission, stage);
      return this.#queue.submit(organizationId, submission);
    };
    const outcome = await run();
    if ('error' in outcome) throw outcome.error;
    return outcome.result as Result;
  }

  /** Makes a write in a transaction of its own, behind its stage. */
  async #runApart(
    request: WriteRequest,
    submission: Submission,
    stage?: (session: Session) => Promise<void>,
  ): Promise<Outcome<unknown>> {
    const [outcome] = await inTransaction(this.#pools.writes, async session => {
      await authorize(session, request);
      await stage?.(session);
      return writeAll(session, request.organizationId, [submission]);
    });
    return outcome!;
  }

  /**
   * Does work that no client of the public API sees, see {@link writeUnordered}. A dry run is rolled back. Work that changes portal users
   * names them: they are locked together with the caller.
   * @throws those of the authority, the work and the database.
   */
  runUnordered<T>(
    request: WriteRequest,
    work: (turn: Turn, session: Queryable) => Promise<T> | T,
    users: readonly string[] = [],
  ): Promise<T> {
    const { organizationId, author, dryRunAt: at } = request;
    const lock = (session: Queryable) => authorize(session, request, users);
    if (at === null) return writeUnordered(this.#pools.writes, organizationId, author, work, lock);
    return this.#inDryRun(async session => {
      await lock(session);
      return workAt(session, { organizationId, at, author, dryRun: true }, turn => work(turn, session));
    });
  }

  #inDryRun<T>(work: (session: Session) => Promise<T>, ahead = false): Promise<T> {
    return inTransaction(this.#pools.reads, work, { ahead, settings: () => settingsOf(dryRunTimeout) });
  }
}

/** Of the transaction of a write that waits so many milliseconds for a lock. */
function settingsOf(timeout: number): Record<string, string> {
  return { lock_timeout: String(Math.max(1, Math.floor(timeout))) };
}

/**
 * Does the work of a command in order, with the clock: in a transaction of its own, or in one that is in progress.
 * @throws INVALID_REFERENCE when there is no such organization, those of the work and of the database.
 */
export function writeOrdered<T>(
  db: Pool | Session,
  organizationId: string,
  author: Author,
  work: (turn: Turn, session: Queryable) => Promise<T> | T,
): Promise<T> {
  const workIn = (session: Session) =>
    workAtClock(session, organizationId, author, turn => work(turn, session));
  if (isSession(db)) return workIn(db);
  return inTransaction(db, workIn, { settings: () => settingsOf(writeTimeout) });
}

function isSession(db: Pool | Session): db is Session {
  return (db as Session).server !== undefined;
}

/**
 * Does work that no client sees (keys, activation), in a transaction of its own and without the clock, so that it waits for no
 * import. What it changes it must lock itself. The instant of the audit is read when `lock` has its locks: what waits for them is
 * audited later than what it has waited for.
 * @throws those of the work, of `lock` and of the database.
 */
export function writeUnordered<T>(
  db: Pool,
  organizationId: string,
  author: Author,
  work: (turn: Turn, session: Queryable) => Promise<T> | T,
  lock: (session: Queryable) => Promise<void> = async () => {},
): Promise<T> {
  return inTransaction(db, async session => {
    const [, { now: at, exact }] = await Promise.all([lock(session), readClock(session)]);
    const facts = { organizationId, at, author, dryRun: false };
    return workAt(session, facts, turn => work(turn, session), exact);
  });
}
