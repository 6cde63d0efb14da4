import { lockPatience, takeInstant } from './clock.ts';
import type { Pool } from './connect.ts';
import { isConnectionLost, isRefused } from './failure.ts';
import type { Queryable } from './session.ts';
import { type Fragment, sql } from './sql.ts';
import { inTransaction, RollBack, type Session } from './transaction.ts';
import { writePatience, WriteQueue } from './write-queue.ts';
import { WriteTurns } from './write-turns.ts';

/** How a write goes: for good, or as a dry run that stamps the instant of the request and is rolled back. */
export interface WriteMode {
  readonly dryRun: boolean;
  readonly receivedAt: Date;
}

/** A write that reads what it depends on, and decides what to change, or throws. */
export interface OrganizationWrite<Found, Result> {
  /**
   * What takes long and needs no turn (the bytes of a file): done in the transaction before the clock is taken, so that
   * other writes do not wait for it. Not done in a dry run.
   */
  readonly stage?: (session: Session) => Promise<void>;
  /** Reads what the decision depends on. Nothing of it changes until the commit but by the write itself. */
  readonly read: (db: Queryable) => Promise<Found>;
  /**
   * Decides what to change, with `at` as the instant to stamp. Both run again when the transaction was rolled back for the
   * sake of another write that was to be committed together with this one.
   */
  readonly change: (found: Found, at: Date) => Change<Result>;
}

/** What a write changes, in statements that do not wait for each other's answers (none: nothing), and what it returns. */
export interface Change<Result> {
  readonly statements: readonly Fragment[];
  readonly result: Result;
}

/** Longest wait of a dry run for a lock, in milliseconds (specification.md 4.2). */
const dryRunPatience = 100;

// A queue holds writes of all kinds.
type AnyWrite = OrganizationWrite<unknown, unknown>;

/** What became of one write of a batch. */
type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** The pool of the writes, and the one of dry runs, which wait for nobody. */
export interface WritePools {
  readonly reads: Pool;
  readonly writes: Pool;
}

/**
 * The writes of this process but for the employees', under the clocks of their organizations: those that wait for their
 * turn meanwhile are committed together, each seeing what those before it have done.
 */
export class OrganizationWrites {
  readonly #database: WritePools;
  readonly #queue: WriteQueue<AnyWrite, Outcome>;

  /** `turns` are those of all writes of the process; without them there are no others. */
  constructor(database: WritePools, turns: WriteTurns = new WriteTurns()) {
    this.#database = database;
    this.#queue = new WriteQueue(
      (organizationId, writes, patience) => {
        const deadline = performance.now() + patience;
        return inTransaction(database.writes, session => writeAll(session, organizationId, writes, deadline));
      },
      isRefused,
      { turns },
    );
  }

  /**
   * Runs a write and returns its result. What `read` finds holds until the commit, since writes of one organization come
   * one after the other; a dry run takes no part in that, and is rolled back.
   * @throws SERVICE_UNAVAILABLE when it is not its turn in time, those of the write; then nothing is stored.
   */
  async run<Found, Result>(
    organizationId: string,
    mode: WriteMode,
    write: OrganizationWrite<Found, Result>,
  ): Promise<Result> {
    if (mode.dryRun) return tryOut(this.#database.reads, mode.receivedAt, write);
    const outcome = write.stage
      ? await this.#runStaged(organizationId, write as AnyWrite)
      : await this.#queue.submit(organizationId, write as AnyWrite);
    if ('error' in outcome) throw outcome.error;
    return outcome.result as Result;
  }

  /** It has a connection already, so it can as well wait for its turn in the database. */
  async #runStaged(organizationId: string, write: AnyWrite): Promise<Outcome> {
    const [outcome] = await inTransaction(this.#database.writes, async session => {
      await write.stage!(session);
      return writeAll(session, organizationId, [write], performance.now() + writePatience);
    });
    return outcome!;
  }
}

/** Runs a write without the clock and rolls it back. */
function tryOut<Found, Result>(
  db: Pool,
  receivedAt: Date,
  { read, change }: OrganizationWrite<Found, Result>,
): Promise<Result> {
  return inTransaction(db, async session => {
    const patience = session.run(sql`SELECT ${lockPatience(dryRunPatience)}`);
    const [found] = await Promise.all([read(session), patience]);
    const { statements, result } = change(found, receivedAt);
    await Promise.all(send(session, statements));
    throw new RollBack(result);
  });
}

/**
 * Takes the clock, for which it waits until the deadline, and runs the writes one after the other. A write that throws
 * changes nothing and leaves the others alone; when none changes anything the clock stays where it was. An error of the
 * database is one of the whole transaction.
 */
async function writeAll(
  session: Session,
  organizationId: string,
  writes: readonly AnyWrite[],
  deadline: number,
): Promise<Outcome[]> {
  const patience = Math.max(1, Math.floor(deadline - performance.now()));
  const clock = takeInstant(session, organizationId, patience);
  const sent: Promise<unknown>[] = [];
  const outcomes: Outcome[] = [];
  for (const { read, change } of writes) {
    try {
      const [at, found] = await Promise.all([clock, read(session)]);
      const { statements, result } = change(found, at);
      // Not waited for here, so that what the next write reads is on its way already.
      sent.push(...send(session, statements));
      outcomes.push({ result });
    } catch (error) {
      if (isRefused(error) || isConnectionLost(error)) throw error;
      outcomes.push({ error });
    }
  }
  await Promise.all(sent);
  if (sent.length === 0) throw new RollBack(outcomes);
  return outcomes;
}

function send(session: Session, statements: readonly Fragment[]): Promise<unknown>[] {
  const sent = statements.map(statement => session.run(statement));
  // They are waited for later, together: until then nobody else handles a failure.
  for (const statement of sent) statement.catch(() => {});
  return sent;
}
