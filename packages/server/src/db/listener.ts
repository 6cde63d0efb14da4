import { randomUUID } from 'node:crypto';
import { type DatabaseTarget, openSession } from './open-session.ts';
import type { Pool } from './pool.ts';
import type { ServerSession } from './session.ts';
import { raw, sql } from './sql.ts';

/** Every beat renews the lease; milliseconds. */
const beatInterval = 250;
/** How long after the start of the last answered beat the listener is trusted; milliseconds, well under 1 s. */
const leaseDuration = 800;
/** A beat without an answer for so long means a dead connection, which is replaced; milliseconds. */
const beatTimeout = 5000;

export interface ListenerEvents {
  /** A notification arrived. */
  readonly notified: (payload: string) => void;
  /** Listening begins, for the first time or again: what was notified before this moment may have been lost. */
  readonly began: () => void;
}

export interface Listener {
  /** Whether every notification that was committed 0.8 s ago or earlier has certainly arrived. */
  trusted(): boolean;
  close(): Promise<void>;
}

/**
 * Listens on a channel over a session of its own, and knows at any moment whether that session works. The beat is a LISTEN on
 * that same session: its reply comes behind every notification that was sent before it. A session is trusted once a
 * notification of another one has come through: behind a pooler that hands sessions from client to client LISTEN succeeds
 * and nothing ever arrives. `pool` sends those notifications.
 */
export function listen(
  { target, pool }: { target: DatabaseTarget; pool: Pool },
  channel: string,
  events: ListenerEvents,
): Listener {
  return new BeatingListener(target, pool, channel, events);
}

class BeatingListener implements Listener {
  readonly #target: DatabaseTarget;
  readonly #pool: Pool;
  readonly #channel: string;
  readonly #events: ListenerEvents;
  #session: ServerSession | null = null;
  /** Whether a notification has come through the present session. */
  #proven = false;
  /** The payload that proves it; no other process knows it. */
  #proof = randomUUID();
  #leaseEnd = 0;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void>;

  constructor(target: DatabaseTarget, pool: Pool, channel: string, events: ListenerEvents) {
    this.#target = target;
    this.#pool = pool;
    this.#channel = channel;
    this.#events = events;
    this.#beating = this.#beat();
  }

  trusted(): boolean {
    return performance.now() < this.#leaseEnd;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#lost();
    await this.#beating;
  }

  /** One beat, and the next one after a while. */
  async #beat(): Promise<void> {
    try {
      const started = performance.now();
      const session = (this.#session ??= await this.#connect());
      await session.send(sql`LISTEN ${raw(this.#channel)}`, { deadline: beatTimeout });
      if (session === this.#session) this.#renew(started);
    } catch {
      // The database is away. The lease has ended or ends by itself, and the next beat tries again.
      this.#lost();
    }
    if (!this.#closed) this.#timer = setTimeout(() => void (this.#beating = this.#beat()), beatInterval);
  }

  async #connect(): Promise<ServerSession> {
    const session = await openSession(this.#target, { applicationName: 'kontor listener' });
    if (this.#closed) session.destroy(new Error('the listener was closed'));
    session.on('notification', ({ channel, payload }) => {
      if (session !== this.#session || channel !== this.#channel) return;
      if (payload === this.#proof) this.#prove();
      else this.#events.notified(payload ?? '');
    });
    session.on('end', () => session === this.#session && this.#lost());
    return session;
  }

  #prove(): void {
    if (!this.#proven) this.#events.began();
    this.#proven = true;
  }

  #lost(): void {
    this.#session?.destroy(new Error('the listener has given this session up'));
    this.#session = null;
    this.#proven = false;
    this.#proof = randomUUID();
    this.#leaseEnd = 0;
  }

  #renew(started: number): void {
    if (this.#proven) this.#leaseEnd = started + leaseDuration;
    // What cannot be sent now is sent with the next beat.
    else this.#pool.run(sql`SELECT pg_notify(${this.#channel}, ${this.#proof})`).catch(() => {});
  }
}
