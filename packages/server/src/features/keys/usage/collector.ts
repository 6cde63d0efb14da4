import { stateOf } from '../../../db/failure.ts';
import type { Pool } from '../../../db/connect.ts';
import { type AnsweredRequest, KeyUse } from './key-use.ts';
import { writeUses } from './write.ts';

/** How often the collected uses are written, in milliseconds. */
const flushInterval = 5000;

type Uses = Map<string, KeyUse>;

/**
 * Collects when keys were last used, how often and with what success, and writes that in batches, never on the way of a request. Only
 * existing keys get here, so there are at most as many entries as keys, each of a bounded size.
 */
export class KeyUsage {
  readonly #db: Pool;
  readonly #failed: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** Those of each organization, by the identifier of the key. */
  #uses = new Map<string, Uses>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(db: Pool, failed: (error: unknown) => void) {
    this.#db = db;
    this.#failed = failed;
    this.#timer = setInterval(() => void this.flush(), flushInterval).unref();
  }

  /** A request came in with this key. */
  record(organizationId: string, id: string): void {
    this.#useOf(organizationId, id).record();
  }

  /** A request that was recorded has been answered, or aborted (status 499). */
  answered(organizationId: string, id: string, request: AnsweredRequest, status: number): void {
    this.#useOf(organizationId, id).answered(request, status);
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

  #useOf(organizationId: string, id: string): KeyUse {
    let uses = this.#uses.get(organizationId);
    if (!uses) this.#uses.set(organizationId, (uses = new Map()));
    let use = uses.get(id);
    if (!use) uses.set(id, (use = new KeyUse(id)));
    return use;
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
  #keepAll(organizationId: string, uses: Uses): void {
    const since = this.#uses.get(organizationId);
    if (!since) return void this.#uses.set(organizationId, uses);
    for (const [id, earlier] of uses) {
      const later = since.get(id);
      if (later) later.addEarlier(earlier);
      else since.set(id, earlier);
    }
  }
}

/** Whether nothing more is tried in this round: no server has replied, or they have taken too long for it. */
function isOver(failure: { error: unknown } | undefined, end: number): boolean {
  return failure !== undefined && (stateOf(failure.error) === undefined || performance.now() > end);
}
