import type { Queryable } from '../db/session.ts';
import type { WriteCall, Writes } from '../write/writes.ts';

/** Due resources in a part of an organization. */
export interface Due {
  readonly organizationId: string;
  readonly count: number;
  readonly since: Date;
}

/** Scheduled work on resources that are due. */
export interface Job {
  /** Its name in logs, metrics and commands. */
  readonly name: string;
  /** Due resources of all organizations, the longest overdue first. */
  readonly inspect: (db: Queryable) => Promise<Due[]>;
  readonly find: (db: Queryable, organizationId: string, max: number) => Promise<string[]>;
  /** Processes those that are still due in one write, and returns how many. @throws the errors of `writes` */
  readonly carryOut: (writes: Writes, call: WriteCall, ids: readonly string[]) => Promise<number>;
}

/** The input of a decision about due resources. */
export interface JobCall extends WriteCall {
  readonly ids: readonly string[];
}
