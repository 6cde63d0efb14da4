import type { Queryable } from '../db/session.ts';
import type { Write } from './write.ts';
import { ApiError } from '@kontor/contract';

/**
 * A change of an organization: what it reads, what follows from that, and what it stores. The entrance (`Writes.decide`) reads and plans
 * twice: before the queue, and again under the clock of the organization, where nothing else changes what was read.
 */
export interface Decision<Input, Found, Plan, Result> {
  /**
   * The resources that change, and values that must be unique. Two writes of one transaction must not have a common target: the audit has
   * one row per resource and transaction, and a batch reads before any of its changes.
   */
  readonly targets: (input: Input) => readonly string[];
  /** Reads what the plans of the inputs depend on, one result for each. */
  readonly read: (db: Queryable, inputs: readonly Input[]) => Promise<readonly Found[]>;
  /**
   * Plans the change of an input at an instant, without a database and a clock. Returns {@link unchanged} when there is nothing to store.
   * @throws ApiError for a rejection
   */
  readonly plan: (input: Input, found: Found, at: Date) => Plan | Unchanged<Result>;
  /**
   * Sends the statements of the plans and records their effects. Returns one result for each. It must not throw for one of them, and not
   * await anything but the next slice of the event loop. It runs again if another write causes a rollback.
   */
  readonly store: (
    planned: readonly Planned<Input, Plan>[],
  ) => readonly Result[] | Promise<readonly Result[]>;
  /** The version of what was read. It is compared after the plan, if the input names the version that it expects. */
  readonly version?: (found: Found) => string;
  /** Rejects an input that expects another version than the stored one. */
  readonly outdated?: (stored: string) => ApiError;
  /** How it is repeated, if its operation accepts an idempotency key. */
  readonly repeat?: Repeat<Input, Result>;
  /** False to plan under the clock only, where the early check costs more than it saves. */
  readonly early?: false;
  /** Whether adjacent decisions of this kind share their statements. */
  readonly batched: boolean;
}

/** How the result of a decision is found again, for a repeated request. */
export interface Repeat<Input, Result> {
  /** The resource that a write creates or changes. */
  readonly id: (input: Input) => string;
  /** Reads the result again, from the resource as it is now; null when it is not in the scope of the caller. */
  readonly read: (db: Queryable, input: Input, id: string) => Promise<Result | null>;
}

export interface Planned<Input, Plan> {
  readonly write: Write;
  readonly input: Input;
  readonly plan: Plan;
}

/** The version that the caller has read, see {@link Decision.version}. */
export interface Expecting {
  readonly expectedVersion?: string | undefined;
}

/** The version of a resource is its `updatedAt`, as documents have it. */
export function versionOf(updatedAt: string | undefined): string | undefined {
  return updatedAt && new Date(updatedAt).toISOString();
}

/** The result of a decision that stores nothing. */
export class Unchanged<Result> {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

export function unchanged<Result>(result: Result): Unchanged<Result> {
  return new Unchanged(result);
}

interface Single<Input, Found, Plan, Result> extends Omit<
  Decision<Input, Found, Plan, Result>,
  'read' | 'store' | 'batched'
> {
  /** May throw, in place of `plan`, for a resource that does not exist. */
  readonly read: (db: Queryable, input: Input) => Promise<Found>;
  readonly store: (write: Write, plan: Plan, input: Input) => Result;
}

/** A decision that has its own statements. */
export function decision<Input, Found, Plan, Result>(
  single: Single<Input, Found, Plan, Result>,
): Decision<Input, Found, Plan, Result> {
  return {
    ...single,
    read: async (db, [input]) => [await single.read(db, input!)],
    store: ([planned]) => [single.store(planned!.write, planned!.plan, planned!.input)],
    batched: false,
  };
}

/** Plans, and then compares the versions. @throws ApiError for a rejection */
export function planOf<Input, Found, Plan, Result>(
  { plan, version, outdated = changedSince }: Decision<Input, Found, Plan, Result>,
  input: Input,
  found: Found,
  at: Date,
): Plan | Unchanged<Result> {
  const planned = plan(input, found, at);
  if (version === undefined || planned instanceof Unchanged) return planned;
  const { expectedVersion } = input as Expecting;
  const stored = version(found);
  if (expectedVersion !== undefined && expectedVersion !== stored) throw outdated(stored);
  return planned;
}

function changedSince(updatedAt: string): ApiError {
  return new ApiError(
    'INVALID_STATE_TRANSITION',
    `It was changed at ${updatedAt}, after you had read it. Read it again, check your changes, and send them with its updatedAt`,
    { currentVersion: updatedAt },
  );
}

export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/** Decides inputs in the transaction of a job, which has the clock. A rejected input does not affect the others. */
export async function decideAll<Input, Found, Plan, Result>(
  decision: Decision<Input, Found, Plan, Result>,
  db: Queryable,
  write: Write,
  inputs: readonly Input[],
): Promise<Outcome<Result>[]> {
  if (inputs.length === 0) return [];
  const found = await decision.read(db, inputs);
  const entries = inputs.map(input => ({ write, input }));
  return storePlans(decision, entries, found);
}

/** Plans each input at the instant of its write, and stores the plans. */
export async function storePlans<Input, Found, Plan, Result>(
  decision: Decision<Input, Found, Plan, Result>,
  entries: readonly { readonly write: Write; readonly input: Input }[],
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
  const results = planned.length === 0 ? [] : await decision.store(planned);
  const stored = results.values();
  return outcomes.map(outcome => outcome ?? { result: stored.next().value! });
}
