import type { Pool } from '../db/connect.ts';
import { isRefused } from '../db/failure.ts';
import type { Queryable } from '../db/session.ts';
import { inTransaction, type Session } from '../db/transaction.ts';
import type { Actor, Author } from './author.ts';
import { type Authority, authorize, type Authorized } from './authority.ts';
import { readClock } from './clock.ts';
import { alone, type Outcome, type Write, type WriteKind } from './kind.ts';
import { writeTimeout, WriteQueue } from './queue.ts';
import { inTurnAt, type Submission, tryInTurn, tryOut, withTurn, writeAll } from './transaction.ts';
import type { Turn } from './turn.ts';

export { type Actor, type Author, operator, system } from './author.ts';
export { type Authority, lockUsers } from './authority.ts';
export { auditEach, countEach, type Family } from './effects.ts';
export { accepted, decideEach, type Entry, type Write, type WriteKind } from './kind.ts';
export { withTurn } from './transaction.ts';
export { type AuditedTogether, auditTogether } from './together.ts';
export { placesOf, type Turn } from './turn.ts';

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

/** The writes of this process, in one line an organization. */
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

  /** How many writes wait for their turn, for metrics. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /**
   * Makes a write that is made by itself, and returns its result.
   * @throws as of {@link runTogether}
   */
  run<Found, Result>(request: WriteRequest, write: Write<Found, Result>): Promise<Result> {
    return this.runTogether(request, alone<Found, Result>(), write);
  }

  /**
   * Makes a write in the next turn that has room for it, and returns its result. One that depends on an authority has a transaction
   * of its own. A dry run takes no turn: it runs the same statements, without the clock, and is rolled back.
   * @throws SERVICE_UNAVAILABLE when it is not its turn in time, those of the write and of the authority; then nothing is stored.
   */
  async runTogether<Input, Found, Result>(
    request: WriteRequest,
    kind: WriteKind<Input, Found, Result>,
    input: Input,
  ): Promise<Result> {
    const { organizationId, author, authority, dryRunAt } = request;
    const submission = { kind, input, author } as unknown as Submission;
    if (dryRunAt !== null) return resultOf(await this.#tryOut(request, submission, dryRunAt)) as Result;
    const outcome = authority
      ? await this.#runApart(request, submission)
      : await this.#queue.submit(organizationId, submission);
    return resultOf(outcome) as Result;
  }

  /**
   * Makes a write of which a part takes long and needs no turn (the bytes of a file): it is done in the transaction before the
   * clock is taken, so that other writes do not wait for it, and not at all in a dry run. It has a connection already, so it
   * waits for its turn in the database.
   * @throws as of {@link runTogether}
   */
  async runStaged<Found, Result>(
    request: WriteRequest,
    stage: (session: Session) => Promise<void>,
    write: Write<Found, Result>,
  ): Promise<Result> {
    if (request.dryRunAt !== null) return this.run(request, write);
    const { author } = request;
    const submission = { kind: alone<Found, Result>(), input: write, author } as unknown as Submission;
    return resultOf(await this.#runApart(request, submission, stage)) as Result;
  }

  /** Makes a write in a transaction of its own, behind what `stage` does. */
  async #runApart(
    request: WriteRequest,
    submission: Submission,
    stage: (session: Session) => Promise<void> = async () => {},
  ): Promise<Outcome<unknown>> {
    const [outcome] = await inTransaction(this.#pools.writes, async session => {
      await authorize(session, request);
      await stage(session);
      return writeAll(session, request.organizationId, [submission]);
    });
    return outcome!;
  }

  #tryOut(request: WriteRequest, submission: Submission, at: Date): Promise<Outcome<unknown>> {
    return inTransaction(
      this.#pools.reads,
      async session => {
        await authorize(session, request);
        return tryOut(session, request.organizationId, submission, at);
      },
      { ahead: true, settings: () => settingsOf(dryRunTimeout) },
    );
  }

  /**
   * Makes a write that no client of the public API sees, see {@link besideClock}. A dry run is rolled back. A write that changes
   * portal users names them: they are locked together with the caller.
   * @throws those of the authority, the work and the database.
   */
  beside<T>(
    request: WriteRequest,
    work: (turn: Turn, session: Queryable) => Promise<T> | T,
    users: readonly string[] = [],
  ): Promise<T> {
    const { organizationId, author, dryRunAt } = request;
    const lock = (session: Queryable) => authorize(session, request, users);
    if (dryRunAt === null) return besideClock(this.#pools.writes, organizationId, author, work, lock);
    const facts = { organizationId, at: dryRunAt, author, dryRun: true };
    return inTransaction(
      this.#pools.reads,
      async session => {
        await lock(session);
        return tryInTurn(session, facts, turn => work(turn, session));
      },
      { settings: () => settingsOf(dryRunTimeout) },
    );
  }
}

/**
 * Of the transaction of a write that waits so many milliseconds for a lock. Its statements find few rows by their keys, so one
 * plan serves all values. To plan by the values costs as much as the rest, and goes wrong: of an organization without
 * statistics PostgreSQL expects one row, and reads all that there are.
 */
function settingsOf(timeout: number): Record<string, string> {
  const milliseconds = String(Math.max(1, Math.floor(timeout)));
  return { lock_timeout: milliseconds, plan_cache_mode: 'force_generic_plan' };
}

function resultOf(outcome: Outcome<unknown>): unknown {
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

/**
 * Has the work of a command done in a turn and a transaction of its own.
 * @throws INVALID_REFERENCE when there is no such organization, those of the work and of the database.
 */
export function inTurn<T>(
  db: Pool,
  organizationId: string,
  author: Author,
  work: (turn: Turn, session: Queryable) => Promise<T> | T,
): Promise<T> {
  return inTransaction(
    db,
    session => withTurn(session, organizationId, author, turn => work(turn, session)),
    { settings: () => settingsOf(writeTimeout) },
  );
}

/**
 * Has work done that no client sees (keys, activation), in a transaction of its own: it takes no turn and leaves the clock
 * alone, so that it waits for no import. What it changes it must lock itself. The instant of the audit is read when `lock` has its
 * locks: what waits for them is audited later than what it has waited for.
 * @throws those of the work, of `lock` and of the database.
 */
export function besideClock<T>(
  db: Pool,
  organizationId: string,
  author: Author,
  work: (turn: Turn, session: Queryable) => Promise<T> | T,
  lock: (session: Queryable) => Promise<void> = async () => {},
): Promise<T> {
  return inTransaction(db, async session => {
    const [, { now: at, exact }] = await Promise.all([lock(session), readClock(session)]);
    const facts = { organizationId, at, author, dryRun: false };
    return inTurnAt(session, facts, turn => work(turn, session), exact);
  });
}
