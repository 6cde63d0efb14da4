import type { ApiError } from '@kontor/contract';
import type { Queryable } from '../db/session.ts';
import type { WriteAtClock } from './write.ts';

/**
 * A change of an organization: what it reads, what follows from that, and what it stores. `Writes.decide` reads and plans twice: before the
 * queue, and under the clock of the organization, where nothing else changes what was read.
 */
export interface Decision<Input, Found, Plan, Result> {
  /**
   * The resources that change, and values that must be unique. Two writes of one transaction must not have a common target: the audit has
   * one row per resource and transaction, and a batch reads before any of its changes.
   */
  readonly targets: (input: Input) => readonly string[];
  /** Reads what the plans of the inputs depend on, one result for each. */
  readonly read: (db: Queryable, inputs: readonly Input[]) => Promise<readonly Found[]>;
  /** Plans the change at an instant, without a database and a clock. @throws ApiError for a rejection */
  readonly plan: (input: Input, found: Found, at: Date) => Plan | Unchanged<Result>;
  /**
   * Sends the statements of the plans, records their effects, and returns one result for each. It awaits nothing but the next slice of the
   * event loop. It runs again if another write causes a rollback.
   */
  readonly store: (
    planned: readonly Planned<Input, Plan>[],
  ) => readonly Result[] | Promise<readonly Result[]>;
  /** The version of what was read. After the plan it is compared with the one that the input expects. */
  readonly version?: (found: Found) => string;
  /** The rejection for another version. */
  readonly outdated?: (version: string) => ApiError;
  /** How a repeated request is answered, if its operation accepts an idempotency key. */
  readonly repeat?: Repeat<Input, Result>;
  /** False where an early check costs more than it saves. */
  readonly early?: false;
  /** Whether adjacent decisions of this kind are read and stored together. */
  readonly batched?: true;
}

export interface Repeat<Input, Result> {
  /** The resource that the decision creates or changes. */
  readonly id: (input: Input) => string;
  /** Reads the result again, from the resource as it is now; null when it is not in the scope of the caller. */
  readonly read: (db: Queryable, input: Input, id: string) => Promise<Result | null>;
}

export interface Planned<Input, Plan> {
  readonly write: WriteAtClock;
  readonly input: Input;
  readonly plan: Plan;
}

/** The version that the caller has read. */
export interface Expecting {
  readonly expectedVersion?: string | undefined;
}

/** The version of a resource is its `updatedAt`, as documents have it. */
export function versionOf(updatedAt: string | undefined): string | undefined {
  return updatedAt && new Date(updatedAt).toISOString();
}

/** The result of a plan that has nothing to store. */
export class Unchanged<Result> {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

export function unchanged<Result>(result: Result): Unchanged<Result> {
  return new Unchanged(result);
}

type Single<Input, Found, Plan, Result> = Omit<
  Decision<Input, Found, Plan, Result>,
  'read' | 'store' | 'batched'
> & {
  /** May throw NOT_FOUND in place of `plan`. */
  readonly read: (db: Queryable, input: Input) => Promise<Found>;
  readonly store: (write: WriteAtClock, plan: Plan, input: Input) => Result;
};

/** A decision with its own statements. */
export function decision<Input, Found, Plan, Result>(
  single: Single<Input, Found, Plan, Result>,
): Decision<Input, Found, Plan, Result> {
  return {
    ...single,
    read: async (db, [input]) => [await single.read(db, input!)],
    store: ([planned]) => [single.store(planned!.write, planned!.plan, planned!.input)],
  };
}

export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };
