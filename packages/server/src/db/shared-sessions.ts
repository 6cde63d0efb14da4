import type pg from 'pg';
import type { Sending, ServerSession } from './session.ts';
import type { Fragment } from './sql.ts';

/** Sessions that are shared at a time; each costs the server a process. */
const maxSessions = 4;

/**
 * Most statements that are sent on a session at once. With more of them (32) as many requests are served a second, but of pages of a
 * hundred rows some wait five times as long as most do.
 */
const maxTogether = 8;

interface Waiting {
  readonly statement: Fragment;
  readonly how: Sending;
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends short statements that wait for a session together on the next one that is free. They are one write to the socket and
 * one reading of it, on both sides. One that takes long holds up those behind it, and shares its end with them when the connection is lost: so for short reads only.
 */
export class SharedSessions {
  readonly #use: (work: (session: ServerSession) => Promise<void>) => Promise<void>;
  readonly #waiting: Waiting[] = [];
  #sessions = 0;

  /** `use` runs work on a session of its own. */
  constructor(use: (work: (session: ServerSession) => Promise<void>) => Promise<void>) {
    this.#use = use;
  }

  /** How many statements wait for a session. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** @throws those of the statement, and of taking a session. */
  send(statement: Fragment, how: Sending): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, how, resolve, reject });
      if (this.#sessions < maxSessions) void this.#serve();
    });
  }

  /** Takes a session as long as somebody waits, and sends on it what waits by then. */
  async #serve(): Promise<void> {
    this.#sessions++;
    while (this.#waiting.length > 0)
      try {
        await this.#use(session => this.#sendOn(session));
      } catch (error) {
        // No session was to be had.
        for (const { reject } of this.#next()) reject(error);
      }
    this.#sessions--;
  }

  async #sendOn(session: ServerSession): Promise<void> {
    const next = this.#next();
    const sent = next.map(({ statement, how }) => session.send(statement, how));
    await Promise.all(sent.map((reply, index) => reply.then(next[index]!.resolve, next[index]!.reject)));
  }

  #next(): Waiting[] {
    return this.#waiting.splice(0, maxTogether);
  }
}
