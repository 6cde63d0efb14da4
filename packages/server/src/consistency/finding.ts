/** The checks of `kontor verify`. `documents` includes the columns that derive from documents. */
export const checks = ['documents', 'files', 'ancestors', 'payroll', 'counters'] as const;
export type Check = (typeof checks)[number];

/** The outcome of a problem: repaired, repairable with `--repair`, or lost because it is not derived data. */
export type RepairOutcome = 'repaired' | 'repairable' | 'lost';

/** A problem of stored data. It names fields and columns, never their values. */
export interface Finding {
  readonly check: Check;
  readonly organizationId: string;
  /** The kind of the target: a resource type, `payroll_run` or `counter`. */
  readonly kind: string;
  /** The id of the target; for a counter its resource type and place. */
  readonly target: string;
  readonly problem: string;
  readonly outcome: RepairOutcome;
}
