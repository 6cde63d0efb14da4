import type { Queryable } from '../db/session.ts';
import type { WriteRequest, Writes } from '../write/writes.ts';

/** What is due in a part of an organization. */
export interface Due {
  readonly organizationId: string;
  readonly count: number;
  /** When the first of it became due. */
  readonly since: Date;
}

/** Something that is done by itself to resources whose time has come. */
export interface Job {
  /** What log, metrics and commands call it. */
  readonly name: string;
  /** What is due in all organizations, what has waited longest first. */
  readonly inspect: (db: Queryable) => Promise<Due[]>;
  /** The identifiers of so many at most of what is due in an organization. */
  readonly find: (db: Queryable, organizationId: string, max: number) => Promise<string[]>;
  /**
   * Does it to these in one write, as far as they are due in it, and returns to how many.
   * @throws as of `Writes.run`
   */
  readonly carryOut: (writes: Writes, request: WriteRequest, ids: readonly string[]) => Promise<number>;
}
