import type { Logger } from 'pino';
import type { Pool } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { anonymous } from '../../auth/caller.ts';
import { describeCause } from '../../telemetry/cause.ts';
import type { AuditedRejection } from '../../auth/rejection.ts';
import { type AuditedBatched, auditBatched } from '../../write/writes.ts';

/** Milliseconds between two writes. Equal rejections within an interval share one entry. */
const interval = 60_000;

/** Max entries per organization and interval that name target and actor. Further ones share one entry per reason. */
export const maxNamed = 20;

/** The target of a shared entry. */
const others = 'others';

interface Buffered extends Omit<AuditedBatched, 'age'> {
  /** Time of the latest one, by `performance.now()`. */
  readonly at: number;
}

/**
 * Writes rejections of known credentials and callers into the audit of their organizations. They are buffered and written once a minute,
 * so no request waits and a flood becomes few entries. A killed process loses the last minute.
 */
export class RejectionLog {
  readonly #db: Pool;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #timer: NodeJS.Timeout;
  /** By organization, then by a key that equal rejections share. */
  #buffers = new Map<string, Map<string, Buffered>>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(db: Pool, logger: Pick<Logger, 'warn'>) {
    this.#db = db;
    this.#logger = logger;
    this.#timer = setInterval(() => void this.flush(), interval).unref();
  }

  record({ organizationId, address, ...rejection }: AuditedRejection): void {
    this.#add(organizationId, { ...rejection, address: address || null, count: 1, at: performance.now() });
  }

  /** Writes the buffer. Entries that cannot be written are kept for the next round. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #add(organizationId: string, entry: Buffered): void {
    let buffer = this.#buffers.get(organizationId);
    if (!buffer) this.#buffers.set(organizationId, (buffer = new Map()));
    const { action, id, reason, actor, address } = entry;
    const name = JSON.stringify([action, id, reason, actor.id, address]);
    const alike = buffer.get(name);
    if (alike) buffer.set(name, joined(alike, entry));
    else if (buffer.size < maxNamed || id === others) buffer.set(name, entry);
    else
      this.#add(organizationId, {
        ...entry,
        id: others,
        actor: anonymous.actor,
        address: null,
        requestId: null,
      });
  }

  /** Organizations may be on different nodes. Writing them one by one keeps an unavailable node from blocking the rest. */
  async #write(): Promise<void> {
    const buffers = this.#buffers;
    this.#buffers = new Map();
    for (const [organizationId, buffer] of buffers)
      try {
        const now = performance.now();
        const entries = Array.from(buffer.values(), ({ at, ...entry }) => ({ ...entry, age: now - at }));
        await inTransaction(this.#db, session => auditBatched(session, organizationId, entries));
      } catch (error) {
        for (const entry of buffer.values()) this.#add(organizationId, entry);
        const cause = describeCause(error);
        this.#logger.warn({ cause }, 'rejections could not be written into the audit yet');
      }
  }
}

function joined(one: Buffered, other: Buffered): Buffered {
  const later = one.at >= other.at ? one : other;
  return { ...later, count: one.count + other.count };
}
