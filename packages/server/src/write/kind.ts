import type { Queryable } from '../db/session.ts';
import type { Turn } from './turn.ts';

/** What became of one write of several. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/** A write that has its turn. */
export interface Entry<Input> {
  readonly turn: Turn;
  readonly input: Input;
}

/** How writes of one kind are made: those that stand next to each other in line, all at once. */
export interface WriteKind<Input, Found, Result> {
  /** Whether several are made at once. */
  readonly together: boolean;
  /**
   * What no two writes of a transaction may have in common, since each sees only what those before it have done, and the audit
   * has one row for each resource in a transaction: the resource, or a value that must be unique.
   */
  readonly targets: (input: Input) => readonly string[];
  /** Reads what the decision on all of them depends on. Nothing of it changes until the commit but by these writes. */
  readonly read: (db: Queryable, inputs: readonly Input[]) => Promise<Found>;
  /**
   * Decides on each, has the statements run and notes the rest, without waiting for anything but the next slice of the event loop;
   * what throws has done nothing. It runs again when the transaction was rolled back for the sake of another write.
   */
  readonly change: (
    entries: readonly Entry<Input>[],
    found: Found,
  ) => readonly Outcome<Result>[] | Promise<readonly Outcome<Result>[]>;
}

/** A write that is made by itself. */
export interface Write<Found, Result> {
  readonly targets: readonly string[];
  readonly read: (db: Queryable) => Promise<Found>;
  /** See {@link WriteKind}: it returns the result, or throws. */
  readonly change: (turn: Turn, found: Found) => Result;
}

/** The kind of every write that is made by itself. */
export function alone<Found, Result>(): WriteKind<Write<Found, Result>, Found, Result> {
  return aloneKind as WriteKind<Write<Found, Result>, Found, Result>;
}

const aloneKind: WriteKind<Write<unknown, unknown>, unknown, unknown> = {
  together: false,
  targets: write => write.targets,
  read: (db, [write]) => write!.read(db),
  change: ([entry], found) => [{ result: entry!.input.change(entry!.turn, found) }],
};

/** Decides on each by itself, for writes that are made together: what throws is refused, and the others go on. */
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

/** What was not refused. */
export function accepted<Planned>(outcomes: readonly Outcome<Planned>[]): Planned[] {
  return outcomes.flatMap(outcome => ('error' in outcome ? [] : [outcome.result]));
}
