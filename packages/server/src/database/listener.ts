import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';

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
 * Listens on a channel over a connection of its own, and knows at any moment whether that connection works. The beat is a
 * LISTEN on that same connection: its answer comes behind every notification that was sent before it, and on a connection
 * that the driver made anew it begins listening again. Such a connection is trusted once a notification from another one
 * has come through: behind a pooler that hands sessions from client to client LISTEN succeeds and nothing ever arrives.
 */
export function listen(sql: Sql, channel: string, events: ListenerEvents): Listener {
  return new BeatingListener(sql, channel, events);
}

class BeatingListener implements Listener {
  readonly #parent: Sql;
  readonly #channel: string;
  readonly #events: ListenerEvents;
  #connection: Sql;
  /** Whether a notification has come through the present connection. */
  #proven = false;
  /** The payload that proves it; no other process knows it. */
  #proof = randomUUID();
  #leaseEnd = 0;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parent: Sql, channel: string, events: ListenerEvents) {
    this.#parent = parent;
    this.#channel = channel;
    this.#events = events;
    this.#connection = this.#connect();
    void this.#beat();
  }

  trusted(): boolean {
    return performance.now() < this.#leaseEnd;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#leaseEnd = 0;
    clearTimeout(this.#timer);
    await this.#connection.end({ timeout: 0 });
  }

  #connect(): Sql {
    const options = {
      ...this.#parent.options,
      max: 1,
      idle_timeout: null,
      max_lifetime: null,
      fetch_types: false,
      onnotify: (channel: string, payload: string) => {
        if (channel !== this.#channel) return;
        if (payload === this.#proof) this.#prove();
        else this.#events.notified(payload);
      },
      onclose: () => this.#lost(),
    };
    // Options that the driver has already parsed are taken as they are, `onnotify` too; its types do not know that.
    return postgres(options as unknown as postgres.Options<Record<string, never>>) as Sql;
  }

  #prove(): void {
    if (!this.#proven) this.#events.began();
    this.#proven = true;
  }

  #lost(): void {
    this.#proven = false;
    this.#proof = randomUUID();
    this.#leaseEnd = 0;
  }

  async #beat(): Promise<void> {
    const connection = this.#connection;
    const started = performance.now();
    const watchdog = setTimeout(() => this.#replace(connection), beatTimeout);
    try {
      await connection.unsafe(`LISTEN ${this.#channel}`);
      if (connection === this.#connection && !this.#closed) this.#renew(started);
    } catch {
      // The database is away. The lease has ended or ends by itself, and the next beat tries again.
      if (connection === this.#connection) this.#lost();
    }
    clearTimeout(watchdog);
    if (!this.#closed) this.#timer = setTimeout(() => void this.#beat(), beatInterval);
  }

  #renew(started: number): void {
    if (this.#proven) this.#leaseEnd = started + leaseDuration;
    // What cannot be sent now is sent with the next beat.
    else this.#parent.notify(this.#channel, this.#proof).catch(() => {});
  }

  #replace(connection: Sql): void {
    if (this.#closed || connection !== this.#connection) return;
    this.#lost();
    this.#connection = this.#connect();
    void connection.end({ timeout: 0 });
  }
}
