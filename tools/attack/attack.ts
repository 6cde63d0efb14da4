/** What came of an attack. */
export interface AttackResult {
  /** What does not hold, one line each; none: it held. */
  readonly findings: string[];
  /** What was sent and measured. */
  readonly figures: Record<string, number | string>;
}

/** An attack on a service of its own on this machine. It is bounded in requests and time, and ends everything that it started. */
export type Attack = (log: (line: string) => void) => Promise<AttackResult>;
