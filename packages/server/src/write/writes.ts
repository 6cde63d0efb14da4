import type { Pool } from '../db/connect.ts';
import { isRejected, isUncertain } from '../db/failure.ts';
import { runForOrganization } from '../db/session-caller.ts';
import { inTransaction, type Session } from '../db/transaction.ts';
import { BatchQueue } from '../lib/concurrency/batch-queue.ts';
import { authorize, authorOf, callOf, operator, type WriteCall } from './author.ts';
import { readClock } from './clock.ts';
import { type Decision, type Expecting, type Outcome, Unchanged } from './decision.ts';
import { checkWritable } from './maintenance.ts';
import {
  findRepeated,
  keyTargets,
  outOfScope,
  repeated,
  type Repeatable,
  type Replayed,
  replayOf,
} from './repeats.ts';
import {
  factsOf,
  planOf,
  settingsOf,
  type Submission,
  tryWrite,
  type Work,
  workAt,
  writeAll,
  writeTimeout,
} from './transaction.ts';
import { Write } from './write.ts';

export * from './author.ts';
export { findClosedOrganizations } from './clock.ts';
export * from './maintenance.ts';
export * from './decision.ts';
export { type AuditedBatched, auditEach, auditBatched, countEach, type ResourceType } from './effects.ts';
export type { IdempotencyKey } from './repeats.ts';
export { decideAll } from './transaction.ts';
export { placesOf, type Write, type WriteAtClock } from './write.ts';

/*
 * - `Writes.decide` changes what clients of the public API can see and poll for. It takes the clock of the organization, which has one such
 *   write at a time.
 * - `Writes.runWithoutClock` changes the rest, such as keys and users. It does not wait for others, so it must lock the rows that it changes.
 * - `Writes.recordAccess` is for sessions, and for records of what was read.
 * - `runAtClock` (`run-at-clock.ts`) is for jobs and commands that write many rows in a transaction with the clock. A handler cannot import it.
 */

/** The bytes of a file that a decision refers to. They are stored before the clock is taken, so that other writes do not wait for them. */
export interface StagedFile {
  /** Stores the file in the transaction of the decision, or for it. */
  put(session: Session): Promise<void>;
  /** Removes the file of a failed write. It throws nothing. */
  discard(): Promise<void>;
}

/** A condition of a client must not be ignored. */
function checkHonored(
  { idempotencyKey, expectedVersion }: Repeatable & Expecting,
  { repeat, version }: { readonly repeat?: unknown; readonly version?: unknown },
): void {
  if ((idempotencyKey && !repeat) || (expectedVersion !== undefined && !version))
    throw new Error('the decision of the operation has no `repeat` or no `version`');
}

/** `writes` runs writes; `reads` runs early checks and dry runs, so that they never wait for writes. */
export interface WritePools {
  readonly reads: Pool;
  readonly writes: Pool;
}

/** Milliseconds that a dry run waits for a lock (specification.md 4.2). */
const dryRunTimeout = 100;

/** The writes of this process, with one queue for each organization. */
export class Writes {
  readonly #pools: WritePools;
  readonly #queue: BatchQueue<Submission, Outcome<unknown>>;

  /** A command has one pool. */
  constructor(database: WritePools | Pool) {
    this.#pools = 'reads' in database ? database : { reads: database, writes: database };
    this.#queue = new BatchQueue<Submission, Outcome<unknown>>({
      process: (organizationId, submissions, timeout) =>
        runForOrganization(organizationId, 'writes', () => this.#writeBatch(submissions, timeout)),
      targets: ({ decision, call }) => [...decision.targets(call), ...keyTargets(call)],
      isUndone: isRejected,
      timeout: writeTimeout,
      tooLate:
        'The write waited too long for other writes of the organization. Nothing was stored; send the request again.',
      now: () => performance.now(),
    });
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /**
   * Decides a call, and returns the result. The decision reads and plans before the queue, where most rejections and empty changes end. It
   * reads and plans again under the clock of the organization, and stores the plan. A dry run does not take the clock: it runs the same
   * statements at the instant of the request, and is rolled back.
   * @throws SERVICE_UNAVAILABLE when the wait was too long, errors of the decision and of the authority; nothing is stored then
   */
  async decide<Input, Found, Plan, Result>(
    call: Repeatable & NoInfer<Input> & Expecting,
    decision: Decision<Input, Found, Plan, Result>,
    file?: StagedFile,
  ): Promise<Result> {
    checkHonored(call, decision);
    let outcome = decision.early === false ? null : await this.#checkEarly(call, decision);
    // After the reads of the check: where they saw a first request, its key is there as well.
    if (decision.early !== false && call.idempotencyKey)
      outcome = (await findRepeated(this.#pools.reads, [call]))[0] ?? outcome;
    outcome ??= await this.#write({ decision, call } as unknown as Submission, file);
    if (outcome === repeated) return this.#replay(call, decision, file);
    if ('error' in outcome) throw outcome.error;
    return outcome.result as Result;
  }

  /** The outcome of a call that is rejected, or changes nothing, before the queue; null for any other. */
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

  #writeBatch(submissions: readonly Submission[], timeout: number): Promise<Outcome<unknown>[]> {
    const until = performance.now() + timeout;
    return inTransaction(this.#pools.writes, session => writeAll(session, submissions), {
      ahead: true,
      settings: () => settingsOf(until - performance.now()),
    });
  }

  /** Waiting writes of an organization share a transaction. One of a portal user, or with a file, waits for the clock in its own. */
  #write(submission: Submission, file?: StagedFile): Promise<Outcome<unknown>> {
    const { call } = submission;
    const { organizationId } = call.scope;
    if (call.dryRun)
      return this.#inDryRun(async session => {
        await authorize(session, call);
        return tryWrite(session, submission);
      }, true);
    if (call.caller.authority !== null || file !== undefined) return this.#writeApart(submission, file);
    return this.#queue.submit(organizationId, submission);
  }

  /** Removes the file when the write fails. If the commit is uncertain, the file stays: an extra file is better than a missing one. */
  async #writeApart(submission: Submission, file: StagedFile | undefined): Promise<Outcome<unknown>> {
    const { call } = submission;
    const write = async (session: Session): Promise<Outcome<unknown>[]> => {
      await authorize(session, call);
      await file?.put(session);
      return writeAll(session, [submission]);
    };
    const [outcome] = await inTransaction(this.#pools.writes, write).catch((error: unknown) => [{ error }]);
    const isKept = 'error' in outcome! ? isUncertain(outcome.error) : outcome !== repeated;
    if (!isKept) await file?.discard();
    return outcome!;
  }

  /**
   * Runs work that clients of the public API cannot see, such as changes of keys or an activation. It never waits for an import. `users` are
   * the portal users that the work changes; they are locked with the caller. The audit's instant is read after that, so that writes that
   * waited for each other are audited in order. A dry run is rolled back.
   * @throws SERVICE_UNAVAILABLE during maintenance, errors of the authority, the work and the database
   */
  runWithoutClock<T>(call: WriteCall, work: Work<T>, users: readonly string[] = []): Promise<T> {
    return this.#runApart(call, work, users, checkWritable);
  }

  /** {@link runWithoutClock} for what reading needs: sessions, and records of what was read. Maintenance does not stop it. */
  recordAccess<T>(call: WriteCall, work: Work<T>, users: readonly string[] = []): Promise<T> {
    return this.#runApart(call, work, users, async () => {});
  }

  #runApart<T>(
    call: WriteCall,
    work: Work<T>,
    users: readonly string[],
    check: typeof checkWritable,
  ): Promise<T> {
    if (call.dryRun)
      return this.#inDryRun(async session => {
        await authorize(session, call, users);
        return workAt(Write, session, factsOf(call, call.receivedAt), work);
      });
    return inTransaction(this.#pools.writes, async session => {
      const [, , { now: at, exact }] = await Promise.all([
        authorize(session, call, users),
        check(session, authorOf(call)),
        readClock(session),
      ]);
      return workAt(Write, session, factsOf(call, at), work, exact);
    });
  }

  #inDryRun<T>(work: (session: Session) => Promise<T>, ahead = false): Promise<T> {
    return inTransaction(this.#pools.reads, work, { ahead, settings: () => settingsOf(dryRunTimeout) });
  }
}

/** Runs work of a command, see {@link Writes.runWithoutClock}. */
export function writeAsOperator<T>(db: Pool, organizationId: string, work: Work<T>): Promise<T> {
  return new Writes(db).runWithoutClock(callOf(organizationId, operator), work);
}
