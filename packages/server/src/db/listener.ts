import { randomUUID } from 'node:crypto';
import { type DatabaseTarget, openSession } from './open-session.ts';
import type { Pool } from './pool.ts';
import type { ServerSession } from './session.ts';
import { raw, sql } from './sql.ts';

/** Milliseconds between heartbeats. Each one renews the lease. */
const beatInterval = 250;
/** Milliseconds from the start of the last answered heartbeat until the lease expires; well under 1 s. */
const leaseDuration = 800;
/** Milliseconds until an unanswered heartbeat means a dead connection, which is replaced. */
const beatTimeout = 5000;

export interface ListenerEvents {
  readonly notified: (payload: string) => void;
  /** Listening begins or resumes. Earlier notifications may have been lost. */
  readonly began: () => void;
}

export interface Listener {
  /** Whether every notification committed at least 0.8 s ago has certainly arrived. */
  trusted(): boolean;
  close(): Promise<void>;
}

/**
 * Listens on a channel over a dedicated session and reports whether that session works. The heartbeat is a LISTEN on the same session: its
 * reply arrives after every notification sent before it. Behind a pooler in transaction mode LISTEN succeeds but no notification arrives. A
 * session is therefore trusted only after a notification that `pool` sent has arrived on it.
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
  /** Whether a notification has arrived on the present session. */
  #proven = false;
  /** The payload of that notification; no other process has it. */
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

  async #beat(): Promise<void> {
    try {
      const started = performance.now();
      const session = (this.#session ??= await this.#connect());
      await session.send(sql`LISTEN ${raw(this.#channel)}`, { deadline: beatTimeout });
      if (session === this.#session) this.#renew(started);
    } catch {
      // The database is unavailable and the lease expires. The next heartbeat retries.
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
    // A failed notification is repeated with the next heartbeat.
    else this.#pool.run(sql`SELECT pg_notify(${this.#channel}, ${this.#proof})`).catch(() => {});
  }
}
