import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Setup } from './services.ts';

/** Answers to clients between the start and the end of a fault. */
export interface Seen {
  /** Identifiers of created incidents that were acknowledged. */
  readonly acknowledged: string[];
  /** Descriptions of the reports with an `Idempotency-Key`, each of which may be stored once. */
  readonly keyed: string[];
  /** Instants of acknowledged writes, in milliseconds of `performance.now()`. */
  readonly successes: number[];
  unavailable: number;
  /** Answers that are neither a success nor 503, each once. */
  readonly unexpected: Set<string>;
  /** Instants of reads that had not what was acknowledged before they were sent. */
  readonly stale: number[];
}

interface Sent {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly body?: object;
  readonly idempotencyKey?: string;
}

/** Milliseconds after which a client gives a request up. */
const timeout = 15_000;

/** Milliseconds between two requests of a client. Without it, a client that is rejected at once would send thousands. */
const pause = 50;

/** Four clients of each service, which send until they are stopped: creates with and without a key, and reads of a row that changes. */
export class Clients implements AsyncDisposable {
  seen: Seen = nothing();
  readonly #setup: Setup;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>[] = [];
  /** The newest acknowledged `updatedAt` of the row that changes. */
  #newest = '';

  constructor(setup: Setup) {
    this.#setup = setup;
    setup.urls.forEach((url, n) => {
      const works = [
        () => this.#createWithKey(url),
        () => this.#create(url),
        () => this.#read(url),
        () => (n === 0 ? this.#change(url) : this.#createWithKey(url)),
      ];
      this.#running.push(...works.map(work => this.#repeat(work)));
    });
  }

  /** Answers what was seen so far, and begins anew. */
  take(): Seen {
    const { seen } = this;
    this.seen = nothing();
    return seen;
  }

  /** Resolves when the next create is acknowledged. */
  async untilSuccess(): Promise<void> {
    const known = this.seen.successes.length;
    while (this.seen.successes.length === known) await delay(pause);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await work();
      await delay(pause);
    }
  }

  /** The body of a success; null for anything else, which is counted. */
  async #send(url: string, path: string, { method = 'GET', body, idempotencyKey }: Sent): Promise<any> {
    const headers = {
      'x-api-key': this.#setup.key,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    try {
      const signal = AbortSignal.timeout(timeout);
      const answer = await fetch(url + path, {
        method,
        headers,
        signal,
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text);
      if (answer.status === 503) this.seen.unavailable++;
      else this.seen.unexpected.add(`${answer.status} ${text.slice(0, 200)}`);
    } catch {
      // The service was killed, or the answer came too late.
      this.seen.unavailable++;
    }
    return null;
  }

  #report(url: string, description: string, idempotencyKey?: string): Promise<{ id: string } | null> {
    const body = { employeeId: this.#setup.employee, type: 'other', description };
    return this.#send(url, '/incidents', {
      method: 'POST',
      body,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
  }

  #acknowledge(id: string): void {
    this.seen.acknowledged.push(id);
    this.seen.successes.push(performance.now());
  }

  async #create(url: string): Promise<void> {
    const created = await this.#report(url, `plain ${randomUUID()}`);
    if (created) this.#acknowledge(created.id);
  }

  /** Repeats the report with its key until it is acknowledged. */
  async #createWithKey(url: string): Promise<void> {
    const key = randomUUID();
    const description = `keyed ${key}`;
    this.seen.keyed.push(description);
    for (;;) {
      const created = await this.#report(url, description, key);
      if (created) return this.#acknowledge(created.id);
      if (this.#stopping.signal.aborted) return;
      await delay(pause);
    }
  }

  async #change(url: string): Promise<void> {
    const changed = await this.#send(url, `/employees/${this.#setup.employee}`, {
      method: 'PATCH',
      body: { city: randomUUID() },
    });
    if (changed) this.#newest = changed.updatedAt as string;
  }

  async #read(url: string): Promise<void> {
    const acknowledged = this.#newest;
    const read = await this.#send(url, `/employees/${this.#setup.employee}`, {});
    if (read && (read.updatedAt as string) < acknowledged) this.seen.stale.push(performance.now());
  }
}

function nothing(): Seen {
  return { acknowledged: [], keyed: [], successes: [], unavailable: 0, unexpected: new Set(), stale: [] };
}
