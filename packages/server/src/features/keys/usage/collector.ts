import { stateOf } from '../../../db/failure.ts';
import type { Pool } from '../../../db/connect.ts';
import type { RequestRecord } from '../../../http/request-context.ts';
import { KeyUse } from './key-use.ts';
import { writeUses } from './write.ts';

/** Milliseconds between two writes. */
const flushInterval = 5000;

type Uses = Map<string, KeyUse>;

/** Buffers the use of keys and writes it in batches, outside of requests. Only existing keys are recorded, so memory is bounded. */
export class KeyUsage {
  readonly #db: Pool;
  readonly #failed: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** Uses by key identifier, for each organization. */
  #uses = new Map<string, Uses>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(db: Pool, failed: (error: unknown) => void) {
    this.#db = db;
    this.#failed = failed;
    this.#timer = setInterval(() => void this.flush(), flushInterval).unref();
  }

  /** Records the response to a request of a key. An aborted one has status 499. */
  answered(request: RequestRecord, status: number): void {
    const { caller } = request;
    if (caller?.actor.type === 'api_key' && 'organizationId' in caller.scope)
      this.#useOf(caller.scope.organizationId, caller.actor.id).answered(request, status);
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

  #useOf(organizationId: string, id: string): KeyUse {
    let uses = this.#uses.get(organizationId);
    if (!uses) this.#uses.set(organizationId, (uses = new Map()));
    let use = uses.get(id);
    if (!use) uses.set(id, (use = new KeyUse(id)));
    return use;
  }

  /**
   * Organizations may be on different nodes. Writing them one by one keeps an unavailable node from blocking the rest. After a timeout,
   * or without the database, the rest waits for the next round.
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

  /** Merges unwritten uses into newer ones. */
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

/** Whether to end the round: the database is unreachable, or the time is over after a failure. */
function isOver(failure: { error: unknown } | undefined, end: number): boolean {
  return failure !== undefined && (stateOf(failure.error) === undefined || performance.now() > end);
}
