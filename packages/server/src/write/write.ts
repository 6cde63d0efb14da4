import type { Fragment } from '../db/sql.ts';
import type { Author } from './author.ts';
import type { Change, Effects, ResourceType, UsedKey, WriteFacts } from './effects.ts';

/**
 * Proof that the caller may change the organization. Functions that change something require one. Only `write/` creates instances; other
 * modules import the type.
 */
export class Write implements WriteFacts {
  readonly organizationId: string;
  readonly at: Date;
  readonly author: Author;
  readonly dryRun: boolean;
  readonly #send: (statement: Fragment) => void;
  protected readonly effects: Effects;

  /** `send` receives the statements in order, without waiting for them. `effects` collects the rest. */
  constructor(facts: WriteFacts, send: (statement: Fragment) => void, effects: Effects) {
    this.organizationId = facts.organizationId;
    this.at = facts.at;
    this.author = facts.author;
    this.dryRun = facts.dryRun;
    this.#send = send;
    this.effects = effects;
  }

  /** `at` in the format of documents. */
  get instant(): string {
    return this.at.toISOString();
  }

  /** Sends a statement after the previous ones. If it fails, the whole transaction fails. */
  send(statement: Fragment): void {
    this.#send(statement);
  }

  /** Records a change for the audit, once per resource and transaction. */
  audit(change: Change): void {
    this.effects.audit(this.author, change);
  }

  /** Stores an idempotency key with the resource of its request. */
  useKey({ key, request }: Omit<UsedKey, 'resource'>, resource: string): void {
    this.effects.useKey({ key, request, resource });
  }
}

/** A write with the clock: nothing else changes the organization until the commit. Changes of what the public API shows require one. */
export class WriteAtClock extends Write {
  /** Adds `n` rows to the counter of each place: '' for the organization, a tenant, 'none' or a division. Null is skipped. */
  count(resourceType: ResourceType, places: readonly (string | null)[], n = 1): void {
    for (const place of places) if (place !== null) this.effects.count(resourceType, place, n);
  }
}

/** The counters of a row: of the organization, its tenant ('none' without one), and its division if it has one. */
export function placesOf(tenantId: string | null, divisionId: string | null): (string | null)[] {
  return ['', tenantId ?? 'none', divisionId];
}
