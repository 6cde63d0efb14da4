import { ApiError } from '@kontor/contract';
import { isRejected, isUncertain } from '../db/failure.ts';
import type { Queryable } from '../db/session.ts';
import type { Fragment } from '../db/sql.ts';
import { RollBack, type Session } from '../db/transaction.ts';
import { inSlices, nextSlice } from '../lib/concurrency/in-slices.ts';
import { type Author, authorOf, type WriteCall } from './author.ts';
import { takeClock } from './clock.ts';
import { type Decision, type Expecting, type Outcome, type Planned, Unchanged } from './decision.ts';
import { Effects, type WriteFacts } from './effects.ts';
import { checkWritable } from './maintenance.ts';
import { findRepeated, type Repeatable } from './repeats.ts';
import { type Write, WriteAtClock } from './write.ts';

/** Milliseconds that a write waits for others before it is rejected with 503 (specification.md 2.10). */
export const writeTimeout = 5000;

export function settingsOf(timeout: number): Record<string, string> {
  return { lock_timeout: String(Math.max(1, Math.floor(timeout))) };
}

/** A decision whose input is the call. */
export interface Submission {
  readonly decision: Decision<WriteCall, unknown, unknown, unknown>;
  readonly call: Repeatable;
}

/** The outcome of a run of submissions. Its statements have not been sent yet. */
interface Made {
  readonly outcomes: readonly Outcome<unknown>[];
  readonly statements: readonly Fragment[];
  readonly effects: Effects;
}

/**
 * Makes the decisions in the given order, in a transaction that advances the clock. A rejected one changes nothing and does not affect
 * others. If none stores anything, the transaction is rolled back and the clock stays. A database error fails all of them.
 */
export async function writeAll(
  session: Session,
  submissions: readonly Submission[],
): Promise<Outcome<unknown>[]> {
  const { call } = submissions[0]!;
  const { organizationId } = call.scope;
  const clock = openClock(session, organizationId, authorOf(call));
  clock.catch(() => {});
  const outcomes: Outcome<unknown>[] = [];
  const effects = new Effects();
  let changes = false;
  // The statements of the previous run. They are sent before the next run's reads, or at the end with the effects.
  let statements: readonly Fragment[] = [];
  for (const run of runsOf(submissions)) {
    await inSlices(statements, statement => session.post(statement));
    const made = await writeRun(session, clock, run);
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

/** Takes the clock. @throws ApiError INVALID_REFERENCE, and SERVICE_UNAVAILABLE during maintenance */
export async function openClock(db: Queryable, organizationId: string, author: Author): Promise<Date> {
  const [, clock] = await Promise.all([checkWritable(db, author), takeClock(db, organizationId)]);
  return clock;
}

/** Groups adjacent submissions of one decision, if it is batched. */
function runsOf(submissions: readonly Submission[]): Submission[][] {
  const runs: Submission[][] = [];
  for (const submission of submissions) {
    const last = runs.at(-1);
    if (submission.decision.batched && last?.[0]!.decision === submission.decision) last.push(submission);
    else runs.push([submission]);
  }
  return runs;
}

/** Reads after the statements of earlier runs, without waiting for them or the clock, and then decides. */
async function writeRun(session: Session, clock: Promise<Date>, run: readonly Submission[]): Promise<Made> {
  try {
    const reading = read(session, run);
    // If the clock fails, the reads after it fail, too, but without its cause.
    reading.catch(() => {});
    const calls = run.map(({ call }) => call);
    const [repeats, at] = await Promise.all([findRepeated(session, calls), clock, session.begun]);
    return await decide(run, reading, repeats, at);
  } catch (error) {
    if (isRejected(error) || isUncertain(error)) throw error;
    return { outcomes: run.map(() => ({ error })), statements: [], effects: new Effects() };
  }
}

function read(session: Session, run: readonly Submission[]): Promise<readonly unknown[]> {
  return run[0]!.decision.read(
    session,
    run.map(({ call }) => call),
  );
}

/** Decides the calls that are not repeated. For the others it does not matter what was read, or whether that failed. */
async function decide(
  run: readonly Submission[],
  reading: Promise<readonly unknown[]>,
  repeats: readonly (Outcome<unknown> | null)[],
  at: Date,
): Promise<Made> {
  const statements: Fragment[] = [];
  const effects = new Effects();
  const send = (statement: Fragment) => statements.push(statement);
  const isNew = (_: unknown, index: number) => repeats[index] === null;
  const entries = run.filter(isNew).map(({ call }) => ({
    input: call,
    write: new WriteAtClock(factsOf(call, at), send, effects),
  }));
  const found = entries.length === 0 ? [] : (await reading).filter(isNew);
  const decided = (await storePlans(run[0]!.decision, entries, found)).values();
  return { outcomes: repeats.map(outcome => outcome ?? decided.next().value!), statements, effects };
}

export function factsOf(call: WriteCall, at: Date): WriteFacts {
  return { organizationId: call.scope.organizationId, at, author: authorOf(call), dryRun: call.dryRun };
}

/** Makes a decision at the instant of its call, without the clock, and rolls it back. The transaction resolves with its outcome. */
export async function tryWrite(session: Session, submission: Submission): Promise<never> {
  const reading = read(session, [submission]);
  await Promise.all([reading, session.begun]);
  const { outcomes, statements } = await decide([submission], reading, [null], submission.call.receivedAt);
  await Promise.all(await inSlices(statements, statement => session.run(statement)));
  throw new RollBack(outcomes[0]!);
}

export type Work<T, W = Write> = (write: W, session: Queryable) => Promise<T> | T;

/**
 * Runs the work at an instant. `exact` is that instant in full precision, for the audit. A dry run executes every statement and is then rolled back.
 */
export async function workAt<T, W extends Write>(
  Kind: new (...args: ConstructorParameters<typeof Write>) => W,
  session: Session,
  facts: WriteFacts,
  work: Work<T, W>,
  exact: Date | string = facts.at,
): Promise<T> {
  const effects = new Effects();
  const tried: Promise<unknown>[] = [];
  const send = (statement: Fragment) =>
    facts.dryRun ? void tried.push(session.run(statement)) : session.post(statement);
  const result = await work(new Kind(facts, send, effects), session);
  await Promise.all(tried);
  if (facts.dryRun) throw new RollBack(result);
  for (const statement of effects.statements(facts.organizationId, exact)) session.post(statement);
  return result;
}

/** @throws ApiError for a rejection, also of another version than the expected one */
export function planOf<Input, Found, Plan, Result>(
  { plan, version, outdated = changedAt }: Decision<Input, Found, Plan, Result>,
  input: Input,
  found: Found,
  at: Date,
): Plan | Unchanged<Result> {
  const planned = plan(input, found, at);
  const { expectedVersion } = input as Expecting;
  if (planned instanceof Unchanged || expectedVersion === undefined || version === undefined) return planned;
  const stored = version(found);
  if (stored !== expectedVersion) throw outdated(stored);
  return planned;
}

function changedAt(updatedAt: string): ApiError {
  return new ApiError(
    'INVALID_STATE_TRANSITION',
    `It was changed at ${updatedAt}, after you had read it. Read it again, check your changes, and send them with its updatedAt`,
    { currentVersion: updatedAt },
  );
}

/** Plans each input at the instant of its write, and stores the plans. A rejected input does not affect the others. */
async function storePlans<Input, Found, Plan, Result>(
  decision: Decision<Input, Found, Plan, Result>,
  entries: readonly Omit<Planned<Input, Plan>, 'plan'>[],
  found: readonly Found[],
): Promise<Outcome<Result>[]> {
  const planned: Planned<Input, Plan>[] = [];
  const outcomes = entries.map(({ write, input }, index): Outcome<Result> | null => {
    try {
      const plan = planOf(decision, input, found[index]!, write.at);
      if (plan instanceof Unchanged) return plan;
      planned.push({ write, input, plan });
      return null;
    } catch (error) {
      return { error };
    }
  });
  const stored = (planned.length === 0 ? [] : await decision.store(planned)).values();
  for (const { write, input } of planned) {
    const { idempotencyKey } = input as Repeatable;
    if (idempotencyKey) write.useKey(idempotencyKey, decision.repeat!.id(input));
  }
  return outcomes.map(outcome => outcome ?? { result: stored.next().value! });
}

/** Decides inputs in the transaction of a job that has the clock. */
export async function decideAll<Input, Found, Plan, Result>(
  decision: Decision<Input, Found, Plan, Result>,
  db: Queryable,
  write: WriteAtClock,
  inputs: readonly Input[],
): Promise<Outcome<Result>[]> {
  if (inputs.length === 0) return [];
  const found = await decision.read(db, inputs);
  const entries = inputs.map(input => ({ write, input }));
  return storePlans(decision, entries, found);
}
