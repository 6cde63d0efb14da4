import { stateOf } from '../../database/failure.ts';
import type { Pool } from '../../database/connect.ts';
import { type KeyUse, writeUses } from './store.ts';

/** How often the collected uses are written, in milliseconds. */
const flushInterval = 5000;

/**
 * Collects when keys were last used, and how often, and writes that in batches, never on the way of a request. Only existing keys get
 * here, so there are at most as many entries as keys.
 */
export class KeyUsage {
  readonly #db: Pool;
  readonly #failed: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** Those of each organization, by the identifier of the key. */
  #uses = new Map<string, Map<string, KeyUse>>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(db: Pool, failed: (error: unknown) => void) {
    this.#db = db;
    this.#failed = failed;
    this.#timer = setInterval(() => void this.flush(), flushInterval).unref();
  }

  record(organizationId: string, id: string): void {
    const uses = this.#uses.get(organizationId) ?? new Map<string, KeyUse>();
    uses.set(id, { id, at: new Date(), requests: (uses.get(id)?.requests ?? 0) + 1 });
    this.#uses.set(organizationId, uses);
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

  /**
   * One organization after the other, since they may lie on different nodes: one that is away keeps none of the others. What
   * is not written in time, or when the whole database is away, waits for the next round.
   */
  async #write(): Promise<void> {
    const collected = [...this.#uses];
    this.#uses = new Map();
    const end = performance.now() + flushInterval;
    let failure: { error: unknown } | undefined;
    for (const [organizationId, uses] of collected)
      try {
        if (isOver(failure, end)) throw failure!.error;
        await writeUses(this.#db, organizationId, [...uses.values()]);
      } catch (error) {
        failure = { error };
        this.#keepAll(organizationId, uses);
      }
    if (failure) this.#failed(failure.error);
  }

  /** Adds what could not be written to what was recorded since. */
  #keepAll(organizationId: string, uses: ReadonlyMap<string, KeyUse>): void {
    const since = this.#uses.get(organizationId) ?? new Map<string, KeyUse>();
    for (const [id, use] of uses) {
      const later = since.get(id);
      since.set(id, later ? { ...later, requests: later.requests + use.requests } : use);
    }
    this.#uses.set(organizationId, since);
  }
}

/** Whether nothing more is tried in this round: no server has replied, or they have taken too long for it. */
function isOver(failure: { error: unknown } | undefined, end: number): boolean {
  return failure !== undefined && (stateOf(failure.error) === undefined || performance.now() > end);
}
