/** What is looked at. `documents` are the stored documents with the columns that follow from them. */
export const checks = ['documents', 'files', 'ancestors', 'counters'] as const;
export type Check = (typeof checks)[number];

/** What became of a problem: put right, could be with `--repair`, or reported only, since it is not derived data. */
export type Outcome = 'repaired' | 'repairable' | 'lost';

/** Something that is stored and cannot be right. It names fields and columns, never what they hold. */
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
