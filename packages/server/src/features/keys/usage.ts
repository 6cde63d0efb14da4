import type { Queryable } from '../../database/session.ts';
import { type KeyUse, writeUses } from './store.ts';

/** How often the collected uses are written, in milliseconds. */
const flushInterval = 5000;

/**
 * Collects when keys were last used, and how often, and writes that in batches, never on the way of a request. Only existing keys get
 * here, so there are at most as many entries as keys.
 */
export class KeyUsage {
  readonly #db: Queryable;
  readonly #failed: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #uses = new Map<string, KeyUse>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(db: Queryable, failed: (error: unknown) => void) {
    this.#db = db;
    this.#failed = failed;
    this.#timer = setInterval(() => void this.flush(), flushInterval).unref();
  }

  record(organizationId: string, id: string): void {
    const key = `${organizationId}/${id}`;
    const requests = (this.#uses.get(key)?.requests ?? 0) + 1;
    this.#uses.set(key, { organizationId, id, at: new Date(), requests });
  }

  /** Writes what was collected; what cannot be written now is kept for the next time. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  /** Writes the rest and stops. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = this.#uses;
    this.#uses = new Map();
    try {
      await writeUses(this.#db, [...uses.values()]);
    } catch (error) {
      this.#keep(uses);
      this.#failed(error);
    }
  }

  /** Adds what could not be written to what was collected since. */
  #keep(uses: ReadonlyMap<string, KeyUse>): void {
    for (const [key, use] of uses) {
      const later = this.#uses.get(key);
      this.#uses.set(key, later ? { ...later, requests: later.requests + use.requests } : use);
    }
  }
}
