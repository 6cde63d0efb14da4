/** The checks of `kontor verify`. `documents`: the stored documents with the columns that follow from them. */
export const checks = ['documents', 'files', 'ancestors', 'counters'] as const;
export type Check = (typeof checks)[number];

/** The outcome of a problem: repaired, repairable with `--repair`, or only reported, because it is not derived data. */
export type Outcome = 'repaired' | 'repairable' | 'lost';

/** A problem of stored data. It names fields and columns, never their values. */
export interface Finding {
  readonly check: Check;
  readonly organizationId: string;
  /** The kind of the target: a resource type, or `counter`. */
  readonly kind: string;
  /** The identifier of the target; of a counter its resource type and place. */
  readonly target: string;
  readonly problem: string;
  readonly outcome: Outcome;
}
