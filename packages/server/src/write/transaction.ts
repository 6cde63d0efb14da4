import { ApiError } from '@kontor/contract';
import { isRejected, isUncertain } from '../db/failure.ts';
import { inSlices, nextSlice } from '../lib/in-slices.ts';
import { RollBack, type Session } from '../db/transaction.ts';
import type { Fragment } from '../db/sql.ts';
import type { Author } from './author.ts';
import { Effects } from './effects.ts';
import { takeClock } from './clock.ts';
import {
  type Entry,
  type Outcome,
  singleKind,
  Write,
  type WriteFacts,
  type WriteKind,
} from './write-kind.ts';

/** A write of any kind, on its way to its turn. */
export interface Submission {
  readonly kind: WriteKind<unknown, unknown, unknown>;
  readonly input: unknown;
  readonly author: Author;
}

/** What the writes of one transaction have in common. */
type Common = Omit<WriteFacts, 'author'>;

/**
 * Makes the writes in the order given, in a transaction that takes the clock. One that is rejected changes nothing and leaves
 * the others alone; when none changes anything the transaction is rolled back, and the clock stays where it was. An error of
 * the database is one of all of them.
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
  // Of the run before: sent ahead of what the next one reads, or in the end together with what is noted.
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

/** What a run of writes comes to; nothing of it was sent yet. */
interface Made {
  readonly outcomes: readonly Outcome<unknown>[];
  readonly statements: readonly Fragment[];
  readonly effects: Effects;
}

/** Reads, behind the statements of the runs before and without waiting for them or the clock, and decides. */
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
    // Where the clock cannot be had the reads behind it fail, too, but not with the reason.
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

/** Makes a write at the instant given, without the clock, and rolls it back. Resolves with its result. */
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

/** Writes next to each other of a kind that is decided on together; single writes by themselves. */
function runsOf(submissions: readonly Submission[]): Submission[][] {
  const runs: Submission[][] = [];
  for (const submission of submissions) {
    const last = runs.at(-1);
    if (last?.[0]!.kind === submission.kind && submission.kind !== singleKind) last.push(submission);
    else runs.push([submission]);
  }
  return runs;
}

/** Takes the clock in a transaction that is in progress, and does the work at that instant. */
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
 * Does the work at an instant; `exact` is that instant in the audit, where it is known more exactly. A dry run is rolled back, once every
 * statement has run.
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
