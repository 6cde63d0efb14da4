import type { Queryable } from '../db/session.ts';
import type { Session } from '../db/transaction.ts';
import type { Fragment } from '../db/sql.ts';
import type { Author } from './author.ts';
import type { Change, Effects, Family } from './effects.ts';

/** What became of one write of several. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/** A write, at its place in the order. */
export interface Entry<Input> {
  readonly turn: Turn;
  readonly input: Input;
}

/** How writes of one kind are decided on: those that stand next to each other in the queue, all at once. */
export interface WriteKind<Input, Found, Result> {
  /**
   * What no two writes of a transaction may have in common, since each sees only what those before it have done, and the audit
   * has one row for each resource in a transaction: the resource, or a value that must be unique.
   */
  readonly targets: (input: Input) => readonly string[];
  /** Reads what the decision on all of them depends on. Nothing of it changes until the commit but by these writes. */
  readonly read: (db: Queryable, inputs: readonly Input[]) => Promise<Found>;
  /**
   * Decides on each, has the statements run and records the rest, without waiting for anything but the next slice of the event
   * loop. A write that throws has done nothing. It runs again when the transaction was rolled back for the sake of another write.
   */
  readonly change: (
    entries: readonly Entry<Input>[],
    found: Found,
  ) => readonly Outcome<Result>[] | Promise<readonly Outcome<Result>[]>;
}

/** A write that is decided on together with others of its kind. */
export interface BatchedWrite<Input, Found, Result> {
  readonly kind: WriteKind<Input, Found, Result>;
  readonly input: Input;
}

/** A write that is decided on by itself. */
export interface SingleWrite<Found, Result> {
  readonly targets: readonly string[];
  /**
   * A part that takes long and needs no order (the bytes of a file). It is done in the transaction before the clock is taken, so that
   * other writes do not wait for it, and not at all in a dry run.
   */
  readonly stage?: (session: Session) => Promise<void>;
  readonly read: (db: Queryable) => Promise<Found>;
  /** See {@link WriteKind}: it returns the result, or throws. */
  readonly change: (turn: Turn, found: Found) => Result;
}

/** The kind of every single write. */
export const singleKind: WriteKind<SingleWrite<unknown, unknown>, unknown, unknown> = {
  targets: write => write.targets,
  read: (db, [write]) => write!.read(db),
  change: ([entry], found) => [{ result: entry!.input.change(entry!.turn, found) }],
};

/** Decides on each by itself: a write that throws is rejected, and the others go on. */
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

/** What was not rejected. */
export function accepted<Planned>(outcomes: readonly Outcome<Planned>[]): Planned[] {
  return outcomes.flatMap(outcome => ('error' in outcome ? [] : [outcome.result]));
}

/** What a turn is about. */
export interface TurnFacts {
  readonly organizationId: string;
  /** The instant that everything of the transaction is stamped with; in a dry run that of the request. */
  readonly at: Date;
  readonly author: Author;
  readonly dryRun: boolean;
}

/**
 * The turn of a write: while it lasts nothing of the organization changes but by it. What changes something takes one as its
 * proof, and only `writes/` makes them; for everybody else it is a type.
 */
export class Turn implements TurnFacts {
  readonly organizationId: string;
  readonly at: Date;
  readonly author: Author;
  readonly dryRun: boolean;
  readonly #send: (statement: Fragment) => void;
  readonly #effects: Effects;

  /** `send` is given the statements in order, without waiting for one; `effects` notes the rest. */
  constructor(facts: TurnFacts, send: (statement: Fragment) => void, effects: Effects) {
    this.organizationId = facts.organizationId;
    this.at = facts.at;
    this.author = facts.author;
    this.dryRun = facts.dryRun;
    this.#send = send;
    this.#effects = effects;
  }

  /** `at` as the documents carry it. */
  get instant(): string {
    return this.at.toISOString();
  }

  /** Has a statement run, behind those before it. Should it fail, so does the whole transaction. */
  send(statement: Fragment): void {
    this.#send(statement);
  }

  /** Notes the change for the audit: once a resource in a transaction. */
  audit(change: Change): void {
    this.#effects.audit(this.author, change);
  }

  /** Counts `n` more rows in each of the places (null: none): '' is the organization, others a tenant, 'none' or a division. */
  count(family: Family, places: readonly (string | null)[], n = 1): void {
    for (const place of places) if (place !== null) this.#effects.count(family, place, n);
  }
}

/** Where a row of a tenant (null: of none) and a division (null: of none) counts. */
export function placesOf(tenantId: string | null, divisionId: string | null): (string | null)[] {
  return ['', tenantId ?? 'none', divisionId];
}
