import { ApiError } from '@kontor/contract';
import { isRejected, isUncertain } from '../db/failure.ts';
import { inSlices, nextSlice } from '../lib/in-slices.ts';
import { RollBack, type Session } from '../db/transaction.ts';
import type { Fragment } from '../db/sql.ts';
import { authorOf, type Author, type WriteCall, type WriteFacts } from './author.ts';
import { Effects } from './effects.ts';
import { takeClock } from './clock.ts';
import { storePlans, type Decision, type Outcome, Unchanged } from './decision.ts';
import { findRepeated, type Keyed, type Repeatable, usingKeys } from './repeats.ts';
import { Write } from './write.ts';

/** A decision about a call, whose input is the call. */
export interface Submission {
  readonly decision: Decision<WriteCall, unknown, unknown, unknown>;
  readonly call: Repeatable;
}

/**
 * Makes the decisions in the given order, in a transaction that advances the clock. A rejected one changes nothing and does not affect
 * others. If none stores anything, the transaction is rolled back and the clock stays. A database error fails all of them.
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
  const keyed: Keyed[] = [];
  for (const run of runsOf(submissions)) {
    await inSlices(statements, statement => session.post(statement));
    const made = await writeRun(session, clock, run);
    outcomes.push(...made.outcomes);
    effects.add(made.effects);
    keyed.push(...made.keyed);
    statements = made.statements;
    changes ||= statements.length > 0;
  }
  if (!changes) throw new RollBack(outcomes);
  const at = await clock;
  await nextSlice();
  const keys = keyed.length === 0 ? null : usingKeys(organizationId, at, keyed);
  const stored = effects.statements(organizationId, at, statements, keys);
  await inSlices(stored, statement => session.post(statement));
  return outcomes;
}

/** The outcome of a run. Its statements have not been sent yet. */
interface Made {
  readonly outcomes: readonly Outcome<unknown>[];
  readonly statements: readonly Fragment[];
  readonly effects: Effects;
  readonly keyed: readonly Keyed[];
}

/** Reads after the statements of earlier runs, without waiting for them or the clock, and then decides. */
async function writeRun(session: Session, clock: Promise<Date>, run: readonly Submission[]): Promise<Made> {
  try {
    const reading = read(session, run);
    // If the clock fails, the reads behind it fail, too, but without its cause.
    reading.catch(() => {});
    const calls = run.map(({ call }) => call);
    const [repeats, at] = await Promise.all([findRepeated(session, calls), clock, session.begun]);
    return await decide(run, reading, repeats, at);
  } catch (error) {
    if (isRejected(error) || isUncertain(error)) throw error;
    return { outcomes: run.map(() => ({ error })), statements: [], effects: new Effects(), keyed: [] };
  }
}

function read(session: Session, run: readonly Submission[]): Promise<readonly unknown[]> {
  const calls = run.map(({ call }) => call);
  return run[0]!.decision.read(session, calls);
}

/** Decides the calls that are not repeated. What was read matters only for these. */
async function decide(
  run: readonly Submission[],
  reading: Promise<readonly unknown[]>,
  repeats: readonly (Outcome<unknown> | null)[],
  at: Date,
): Promise<Made> {
  const statements: Fragment[] = [];
  const effects = new Effects();
  const { decision } = run[0]!;
  const isNew = (_: unknown, index: number) => repeats[index] === null;
  const entries = run.filter(isNew).map(({ call }) => {
    const { dryRun } = call;
    const { organizationId } = call.scope;
    const facts = { organizationId, at, author: authorOf(call), dryRun };
    return { input: call, write: new Write(facts, statement => statements.push(statement), effects) };
  });
  const found = entries.length === 0 ? [] : (await reading).filter(isNew);
  const decided = await storePlans(decision, entries, found);
  const keyed = entries.flatMap(({ input }, index) => {
    const { idempotencyKey } = input;
    const isStored = 'result' in decided[index]! && !(decided[index] instanceof Unchanged);
    return idempotencyKey && isStored ? [{ idempotencyKey, resource: decision.repeat!.id(input) }] : [];
  });
  const rest = decided.values();
  const outcomes = repeats.map(outcome => outcome ?? rest.next().value!);
  return { outcomes, statements, effects, keyed };
}

/** Makes a decision at the instant of its call, without the clock, and rolls it back. The transaction resolves with its outcome. */
export async function tryWrite(session: Session, submission: Submission): Promise<never> {
  const [found] = await Promise.all([read(session, [submission]), session.begun]);
  const { outcomes, statements } = await decide(
    [submission],
    Promise.resolve(found),
    [null],
    submission.call.receivedAt,
  );
  await Promise.all(await inSlices(statements, statement => session.run(statement)));
  throw new RollBack(outcomes[0]!);
}

/** Groups adjacent decisions of one kind, if they are batched. */
function runsOf(submissions: readonly Submission[]): Submission[][] {
  const runs: Submission[][] = [];
  for (const submission of submissions) {
    const last = runs.at(-1);
    if (submission.decision.batched && last?.[0]!.decision === submission.decision) last.push(submission);
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
