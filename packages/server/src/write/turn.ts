import type { Fragment } from '../db/sql.ts';
import type { Author } from './author.ts';
import type { Change, Effects, Family } from './effects.ts';

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
  write(statement: Fragment): void {
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
