import { ApiError } from '@kontor/contract';
import { isRejected, isUncertain } from '../db/failure.ts';
import { inSlices, nextSlice } from '../lib/in-slices.ts';
import { RollBack, type Session } from '../db/transaction.ts';
import type { Fragment } from '../db/sql.ts';
import type { Author, WriteFacts } from './author.ts';
import { Effects } from './effects.ts';
import { takeClock } from './clock.ts';
import { type Entry, type Outcome, singleKind, Write, type WriteKind } from './write-kind.ts';

export interface Submission {
  readonly kind: WriteKind<unknown, unknown, unknown>;
  readonly input: unknown;
  readonly author: Author;
}

type Common = Omit<WriteFacts, 'author'>;

/**
 * Makes the writes in the given order, in a transaction that advances the clock. A rejected write changes nothing and does not affect
 * others. If no write changes anything, the transaction is rolled back and the clock stays. A database error fails all writes.
 */
export async function writeAll(
  session: Session,
  organizationId: string,
  submissions: readonly Submission[],
): Promise<Outcome<unknown>[]> {
  const clock = existing(takeClock(session, organizationId), organizationId);
  clock.catch(() => {});
  const outcomes: Outcome<unknown>[] = [];
  const effects = new Effects();
  let changes = false;
  // The statements of the previous run. They are sent before the next run's reads, or at the end with the effects.
  let statements: readonly Fragment[] = [];
  for (const run of runsOf(submissions)) {
    await inSlices(statements, statement => session.post(statement));
    const made = await writeRun(session, clock, organizationId, run);
    outcomes.push(...made.outcomes);
    effects.add(made.effects);
    statements = made.statements;
    changes ||= statements.length > 0;
  }
  if (!changes) throw new RollBack(outcomes);
  const at = await clock;
  await nextSlice();
  const stored = effects.statements(organizationId, at, statements);
  await inSlices(stored, statement => session.post(statement));
  return outcomes;
}

/** The outcome of a run. Its statements have not been sent yet. */
interface Made {
  readonly outcomes: readonly Outcome<unknown>[];
  readonly statements: readonly Fragment[];
  readonly effects: Effects;
}

/** Reads behind the statements of earlier runs, without waiting for them or the clock, and then decides. */
async function writeRun(
  session: Session,
  clock: Promise<Date>,
  organizationId: string,
  run: readonly Submission[],
): Promise<Made> {
  const { kind } = run[0]!;
  try {
    const reading = kind.read(
      session,
      run.map(({ input }) => input),
    );
    // If the clock fails, the reads behind it fail, too, but without its cause.
    reading.catch(() => {});
    await session.begun;
    const at = await clock;
    return await decide(run, await reading, { organizationId, at, dryRun: false });
  } catch (error) {
    if (isRejected(error) || isUncertain(error)) throw error;
    return { outcomes: run.map(() => ({ error })), statements: [], effects: new Effects() };
  }
}

async function decide(run: readonly Submission[], found: unknown, common: Common): Promise<Made> {
  const statements: Fragment[] = [];
  const effects = new Effects();
  const entries: Entry<unknown>[] = run.map(({ input, author }) => ({
    input,
    write: new Write({ ...common, author }, statement => statements.push(statement), effects),
  }));
  return { outcomes: await run[0]!.kind.change(entries, found), statements, effects };
}

/** Makes a write at the given instant, without the clock, and rolls it back. The transaction resolves with its outcome. */
export async function tryWrite(
  session: Session,
  organizationId: string,
  submission: Submission,
  at: Date,
): Promise<never> {
  const [found] = await Promise.all([submission.kind.read(session, [submission.input]), session.begun]);
  const { outcomes, statements } = await decide([submission], found, { organizationId, at, dryRun: true });
  await Promise.all(await inSlices(statements, statement => session.run(statement)));
  throw new RollBack(outcomes[0]!);
}

/** Groups adjacent writes of one kind. A single write is a group of its own. */
function runsOf(submissions: readonly Submission[]): Submission[][] {
  const runs: Submission[][] = [];
  for (const submission of submissions) {
    const last = runs.at(-1);
    if (last?.[0]!.kind === submission.kind && submission.kind !== singleKind) last.push(submission);
    else runs.push([submission]);
  }
  return runs;
}

/** Advances the clock in the current transaction, and runs the work at that instant. */
export async function workAtClock<T>(
  session: Session,
  organizationId: string,
  author: Author,
  work: (write: Write) => Promise<T> | T,
): Promise<T> {
  const at = await existing(takeClock(session, organizationId), organizationId);
  return workAt(session, { organizationId, at, author, dryRun: false }, work);
}

/**
 * Runs the work at an instant. `exact` is that instant in full precision, for the audit. A dry run executes every statement and is then rolled back.
 */
export async function workAt<T>(
  session: Session,
  facts: WriteFacts,
  work: (write: Write) => Promise<T> | T,
  exact: Date | string = facts.at,
): Promise<T> {
  const effects = new Effects();
  const tried: Promise<unknown>[] = [];
  const send = (statement: Fragment) =>
    facts.dryRun ? void tried.push(session.run(statement)) : session.post(statement);
  const result = await work(new Write(facts, send, effects));
  await Promise.all(tried);
  if (facts.dryRun) throw new RollBack(result);
  for (const statement of effects.statements(facts.organizationId, exact)) session.post(statement);
  return result;
}

async function existing(clock: Promise<Date | null>, organizationId: string): Promise<Date> {
  const at = await clock;
  if (at === null)
    throw new ApiError('INVALID_REFERENCE', `organization: there is no organization ${organizationId}`);
  return at;
}
