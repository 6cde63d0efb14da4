import type { AuditAction } from '@kontor/contract';
import type { Pool } from '../db/connect.ts';
import { isRejected, isUncertain } from '../db/failure.ts';
import type { Queryable } from '../db/session.ts';
import { inTransaction, type Session } from '../db/transaction.ts';
import {
  type Actor,
  type Author,
  type Authority,
  type Authorized,
  authorize,
  callOf,
  type WriteCall,
} from './author.ts';
import { readClock } from './clock.ts';
import { writeTimeout, WriteQueue } from './queue.ts';
import { decision, type Decision, type Expecting, type Outcome, planOf, Unchanged } from './decision.ts';
import {
  findRepeated,
  keyTargets,
  outOfScope,
  repeated,
  type Repeatable,
  type Replayed,
  replayOf,
} from './repeats.ts';
import { type Submission, tryWrite, workAt, workAtClock, writeAll } from './transaction.ts';
import type { Write } from './write.ts';

export {
  type Actor,
  type Author,
  type Authority,
  authorize,
  callOf,
  lockUsers,
  operator,
  system,
  type WriteCall,
} from './author.ts';
export { type AuditedBatched, auditEach, auditBatched, countEach, type ResourceType } from './effects.ts';
export { checkHourlyLimit, type HourlyLimit } from './hourly-limit.ts';
export {
  decision,
  decideAll,
  type Decision,
  type Expecting,
  type Outcome,
  type Repeat,
  unchanged,
  versionOf,
} from './decision.ts';
export type { IdempotencyKey } from './repeats.ts';
export { placesOf, type Write } from './write.ts';

/*
 * There are four ways to write:
 *
 * |                               | with the clock, in order | without the clock        |
 * | ----------------------------- | ------------------------ | ------------------------ |
 * | a request, may be a dry run   | Writes.runOrdered        | Writes.runUnordered      |
 * | a command, no dry run         | writeOrdered             | writeUnordered           |
 *
 * With the clock, an organization has one write at a time, and clients of the public API can poll for its changes. Without it, a write does
 * not wait for others, and must lock the rows that it changes.
 */

export interface WriteRequest extends Authorized {
  readonly author: Author;
  /** For a dry run the instant of the request, which it uses as the timestamp; else null. */
  readonly dryRunAt: Date | null;
}

/** Records in the audit that a list was exported, with the organization as its target. */
export async function recordExport(writes: Writes, call: Asking, action: AuditAction): Promise<void> {
  const request = requestOf(call);
  await writes.runUnordered(request, write => write.audit({ id: request.organizationId, action }));
}

interface Asking {
  readonly caller: { readonly actor: Actor; readonly authority: Authority | null };
  readonly scope: { readonly organizationId: string };
  readonly requestId: string;
  readonly address: string;
  readonly dryRun: boolean;
  readonly receivedAt: Date;
}

export function requestOf({ caller, scope, requestId, address, dryRun, receivedAt }: Asking): WriteRequest {
  return {
    organizationId: scope.organizationId,
    author: { actor: caller.actor, requestId, address },
    authority: caller.authority,
    dryRunAt: dryRun ? receivedAt : null,
  };
}

/** Milliseconds that a dry run waits for a lock (specification.md 4.2). */
const dryRunTimeout = 100;

/** The bytes of a file that a decision refers to. They are stored before the clock is taken, so that other writes do not wait for them. */
export interface StagedFile {
  /** Stores the file in the transaction of the decision, or for it. */
  put(session: Session): Promise<void>;
  /** Removes the file of a failed write. It throws nothing. */
  discard(): Promise<void>;
}

/** Removes the file when the write fails. If the commit is uncertain, the file stays: an extra file is better than a missing one. */
async function keeping(file: StagedFile, write: Promise<Outcome<unknown>>): Promise<Outcome<unknown>> {
  const outcome = await write.catch((error: unknown) => ({ error }));
  if ('error' in outcome && !isUncertain(outcome.error)) await file.discard();
  return outcome;
}

interface SingleWrite<Found, Result> {
  readonly targets: readonly string[];
  readonly file?: StagedFile;
  readonly read: (db: Queryable) => Promise<Found>;
  readonly change: (write: Write, found: Found) => Result;
}

/** A condition of a client must not be ignored. */
function checkHonored(
  { idempotencyKey, expectedVersion }: Repeatable & Expecting,
  { repeat, version }: { readonly repeat?: unknown; readonly version?: unknown },
): void {
  if ((idempotencyKey && !repeat) || (expectedVersion !== undefined && !version))
    throw new Error('the decision honors neither an idempotency key nor an expected version');
}

/** `writes` runs writes; `reads` runs dry runs, so that they never wait for writes. */
export interface WritePools {
  readonly reads: Pool;
  readonly writes: Pool;
}

/** The writes of this process, with one queue for each organization. */
export class Writes {
  readonly #pools: WritePools;
  readonly #queue: WriteQueue<Submission, Outcome<unknown>>;

  /** A command has one pool for both. */
  constructor(database: WritePools | Pool) {
    const pools = 'reads' in database ? database : { reads: database, writes: database };
    this.#pools = pools;
    this.#queue = new WriteQueue<Submission, Outcome<unknown>>({
      write(organizationId, submissions, timeout) {
        const until = performance.now() + timeout;
        return inTransaction(pools.writes, session => writeAll(session, organizationId, submissions), {
          ahead: true,
          settings: () => settingsOf(until - performance.now()),
        });
      },
      targets: ({ decision, call }) => [...decision.targets(call), ...keyTargets(call)],
      isRejected,
      now: () => performance.now(),
    });
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /**
   * Decides a call, and returns the result. The decision is made twice, each time on what it reads then: before the queue, where most
   * rejections and empty changes end, and under the clock of the organization, where the plan is stored. Waiting decisions of an
   * organization share a transaction. One of a portal user, or with a file, has its own, which waits for the clock in the database. A dry
   * run does not take the clock: it runs the same statements at the instant of the request, and is rolled back.
   * @throws SERVICE_UNAVAILABLE when the wait was too long, errors of the decision and of the authority; nothing is stored then
   */
  async decide<Input, Found, Plan, Result>(
    call: Repeatable & NoInfer<Input> & Expecting,
    decision: Decision<Input, Found, Plan, Result>,
    file?: StagedFile,
  ): Promise<Result> {
    checkHonored(call, decision);
    let outcome = decision.early === false ? null : await this.#checkEarly(call, decision);
    // After these reads: where they saw a first request, its row is there as well.
    if (decision.early !== false && call.idempotencyKey) {
      const [found] = await findRepeated(this.#pools.reads, [call]);
      outcome = found ?? outcome;
    }
    outcome ??= await this.#write({ decision, call } as unknown as Submission, file);
    if (outcome === repeated) return this.#replay(call, decision, file);
    if ('error' in outcome) throw outcome.error;
    return outcome.result as Result;
  }

  /** Returns the outcome of a call that is rejected, or changes nothing, before the queue; null for any other. */
  async #checkEarly<Input extends WriteCall, Found, Plan, Result>(
    call: Input,
    decision: Decision<Input, Found, Plan, Result>,
  ): Promise<Outcome<unknown> | null> {
    try {
      const [found] = await decision.read(this.#pools.reads, [call]);
      const plan = planOf(decision, call, found!, call.receivedAt);
      return plan instanceof Unchanged ? plan : null;
    } catch (error) {
      return { error };
    }
  }

  /** Answers a call with a used key. If the key has become free in the meantime, the call is decided. */
  async #replay<Input extends Repeatable, Found, Plan, Result>(
    call: Input,
    decision: Decision<Input, Found, Plan, Result>,
    file?: StagedFile,
  ): Promise<Result> {
    const replay = { call: { ...call, idempotencyKey: null }, decision: replayOf(call, decision.repeat!) };
    const outcome = await this.#write(replay as unknown as Submission);
    if ('error' in outcome) throw outcome.error;
    const replayed = outcome.result as Replayed<Result> | null;
    if (replayed === null) return this.decide(call, decision, file);
    if (replayed.resource === null) throw outOfScope();
    call.idempotencyKey!.recordReplay();
    return replayed.resource;
  }

  async #write(submission: Submission, file?: StagedFile): Promise<Outcome<unknown>> {
    const { call } = submission;
    const { organizationId } = call.scope;
    const { authority } = call.caller;
    if (call.dryRun)
      return this.#inDryRun(async session => {
        await authorize(session, { organizationId, authority });
        return tryWrite(session, submission);
      }, true);
    if (authority === null && file === undefined) return this.#queue.submit(organizationId, submission);
    const writing = inTransaction(this.#pools.writes, async session => {
      await authorize(session, { organizationId, authority });
      await file?.put(session);
      return writeAll(session, organizationId, [submission]);
    });
    // A transaction that is rolled back resolves with the outcomes, too.
    const write = writing.then(([outcome]) => outcome!);
    return file === undefined ? write : keeping(file, write);
  }

  /** The old form. */
  async runOrdered<Found, Result>(request: WriteRequest, write: SingleWrite<Found, Result>): Promise<Result> {
    const { organizationId, author, authority, dryRunAt } = request;
    const call: WriteCall = {
      ...callOf(organizationId, author),
      caller: { actor: author.actor, authority },
      dryRun: dryRunAt !== null,
      receivedAt: dryRunAt ?? new Date(),
    };
    return this.decide(
      call,
      decision({
        targets: (_call: WriteCall) => write.targets,
        read: db => write.read(db),
        plan: (_call, found) => ({ found }),
        store: (made, { found }) => write.change(made, found),
        early: false,
      }),
      write.file,
    );
  }

  /**
   * Runs work that clients of the public API cannot see, see {@link writeUnordered}. A dry run is rolled back.
   * `users` are the portal users that the work changes; they are locked with the caller.
   * @throws errors of the authority, the work and the database
   */
  runUnordered<T>(
    request: WriteRequest,
    work: (write: Write, session: Queryable) => Promise<T> | T,
    users: readonly string[] = [],
  ): Promise<T> {
    const { organizationId, author, dryRunAt: at } = request;
    const lock = (session: Queryable) => authorize(session, request, users);
    if (at === null) return writeUnordered(this.#pools.writes, organizationId, author, work, lock);
    return this.#inDryRun(async session => {
      await lock(session);
      return workAt(session, { organizationId, at, author, dryRun: true }, write => work(write, session));
    });
  }

  #inDryRun<T>(work: (session: Session) => Promise<T>, ahead = false): Promise<T> {
    return inTransaction(this.#pools.reads, work, { ahead, settings: () => settingsOf(dryRunTimeout) });
  }
}

function settingsOf(timeout: number): Record<string, string> {
  return { lock_timeout: String(Math.max(1, Math.floor(timeout))) };
}

/**
 * Runs the work of a command in order, with the clock, in its own transaction or in the given one.
 * @throws INVALID_REFERENCE when there is no such organization, errors of the work and of the database
 */
export function writeOrdered<T>(
  db: Pool | Session,
  organizationId: string,
  author: Author,
  work: (write: Write, session: Queryable) => Promise<T> | T,
): Promise<T> {
  const workIn = (session: Session) =>
    workAtClock(session, organizationId, author, write => work(write, session));
  if (isSession(db)) return workIn(db);
  return inTransaction(db, workIn, { settings: () => settingsOf(writeTimeout) });
}

function isSession(db: Pool | Session): db is Session {
  return (db as Session).server !== undefined;
}

/**
 * Runs work that clients of the public API cannot see, such as changes of keys or an activation, in its own transaction.
 * It does not use the clock, so it never waits for an import. It must lock the rows that it changes.
 * The audit's instant is read after `lock` has its locks, so that writes that waited for each other are audited in order.
 * @throws errors of the work, of `lock` and of the database
 */
export function writeUnordered<T>(
  db: Pool,
  organizationId: string,
  author: Author,
  work: (write: Write, session: Queryable) => Promise<T> | T,
  lock: (session: Queryable) => Promise<void> = async () => {},
): Promise<T> {
  return inTransaction(db, async session => {
    const [, { now: at, exact }] = await Promise.all([lock(session), readClock(session)]);
    const facts = { organizationId, at, author, dryRun: false };
    return workAt(session, facts, write => work(write, session), exact);
  });
}
