import type { Queryable } from '../db/session.ts';
import type { Session } from '../db/transaction.ts';
import type { Fragment } from '../db/sql.ts';
import type { Author, WriteFacts } from './author.ts';
import type { Change, Effects, ResourceType } from './effects.ts';

export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

export interface Entry<Input> {
  readonly write: Write;
  readonly input: Input;
}

/** How writes of one kind are decided: adjacent ones of the queue as one batch. */
export interface WriteKind<Input, Found, Result> {
  /**
   * The resource, or a value that must be unique. Two writes of one transaction must not have a common target: the audit has one row per
   * resource and transaction, and a batch reads before any of its changes.
   */
  readonly targets: (input: Input) => readonly string[];
  /** Reads everything that the decisions depend on. Until the commit only these writes change it. */
  readonly read: (db: Queryable, inputs: readonly Input[]) => Promise<Found>;
  /**
   * Decides each write, sends its statements and records its effects. It must not await anything but the next slice of the event loop.
   * A write that throws must have changed nothing. It runs again if another write causes a rollback.
   */
  readonly change: (
    entries: readonly Entry<Input>[],
    found: Found,
  ) => readonly Outcome<Result>[] | Promise<readonly Outcome<Result>[]>;
}

/** A write that is decided in a batch with others of its kind. */
export interface BatchedWrite<Input, Found, Result> {
  readonly kind: WriteKind<Input, Found, Result>;
  readonly input: Input;
}

export interface SingleWrite<Found, Result> {
  readonly targets: readonly string[];
  /**
   * A slow part that needs no order, such as storing the bytes of a file. It runs in the transaction before the clock is taken, so that
   * other writes do not wait for it. A dry run skips it.
   */
  readonly stage?: (session: Session) => Promise<void>;
  readonly read: (db: Queryable) => Promise<Found>;
  /** Returns the result, or throws. See {@link WriteKind}. */
  readonly change: (write: Write, found: Found) => Result;
}

export const singleKind: WriteKind<SingleWrite<unknown, unknown>, unknown, unknown> = {
  targets: write => write.targets,
  read: (db, [write]) => write!.read(db),
  change: ([entry], found) => [{ result: entry!.input.change(entry!.write, found) }],
};

/** Decides each entry separately. An entry that throws is rejected without affecting the others. */
export function decideEach<Input, Planned>(
  entries: readonly Entry<Input>[],
  decide: (entry: Entry<Input>, index: number) => Planned,
): Outcome<Planned>[] {
  return entries.map((entry, index) => {
    try {
      return { result: decide(entry, index) };
    } catch (error) {
      return { error };
    }
  });
}

export function accepted<Planned>(outcomes: readonly Outcome<Planned>[]): Planned[] {
  return outcomes.flatMap(outcome => ('error' in outcome ? [] : [outcome.result]));
}

/**
 * Proof that the caller may change the organization; with the clock, nothing else changes it meanwhile.
 * Functions that change something require one. Only `write/` creates instances; other modules import the type.
 */
export class Write implements WriteFacts {
  readonly organizationId: string;
  readonly at: Date;
  readonly author: Author;
  readonly dryRun: boolean;
  readonly #send: (statement: Fragment) => void;
  readonly #effects: Effects;

  /** `send` receives the statements in order, without waiting for them. `effects` collects the rest. */
  constructor(facts: WriteFacts, send: (statement: Fragment) => void, effects: Effects) {
    this.organizationId = facts.organizationId;
    this.at = facts.at;
    this.author = facts.author;
    this.dryRun = facts.dryRun;
    this.#send = send;
    this.#effects = effects;
  }

  /** `at` in the format of documents. */
  get instant(): string {
    return this.at.toISOString();
  }

  /** Sends a statement behind the previous ones. If it fails, the whole transaction fails. */
  send(statement: Fragment): void {
    this.#send(statement);
  }

  /** Records a change for the audit, once per resource and transaction. */
  audit(change: Change): void {
    this.#effects.audit(this.author, change);
  }

  /** Adds `n` rows to the counter of each place: '' for the organization, a tenant, 'none' or a division. Null is skipped. */
  count(resourceType: ResourceType, places: readonly (string | null)[], n = 1): void {
    for (const place of places) if (place !== null) this.#effects.count(resourceType, place, n);
  }
}

/** The counters of a row: of the organization, its tenant ('none' without one), and its division if it has one. */
export function placesOf(tenantId: string | null, divisionId: string | null): (string | null)[] {
  return ['', tenantId ?? 'none', divisionId];
}
