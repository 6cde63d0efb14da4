import pg from 'pg';
import { noSession } from './failure.ts';
import type { Queryable, Sending, ServerSession } from './session.ts';
import type { Fragment } from './sql.ts';

export interface PoolOptions {
  /** Most sessions. They are opened as they are needed. */
  readonly size: number;
  /** Milliseconds that a statement may take, unless said otherwise. */
  readonly deadline: number;
  /** Milliseconds until a session must be open, and that one waits for a free one. */
  readonly timeout: number;
  /** The class of the sessions. */
  readonly Session: new (config: pg.ClientConfig) => ServerSession;
  /** Whether statements that wait are sent together on one session, which is for short reads only. */
  readonly shares?: boolean;
  /** Makes a new session ready; one for which it fails is not used. */
  readonly prepare: (session: ServerSession) => Promise<void>;
}

/** What a pool is doing, for metrics. */
export interface PoolState {
  readonly sessions: number;
  readonly idle: number;
  /** Who waits for a session. */
  readonly waiting: number;
  /** Sessions that were lost, since the start. */
  readonly lost: number;
  /** Of these, the ones that were given up because a statement got no reply in time. */
  readonly overdue: number;
  /** Statements that failed because a node behind the server could not be reached, since the start. */
  readonly nodeFailures: number;
}

/** How a single statement of a pool is run, where it is not as usual. */
export type Running = Partial<Pick<Sending, 'deadline' | 'prepare' | 'signal'>> & {
  /** Whether it may be sent together with others that wait, which is for short reads only; else as the pool says. */
  readonly shared?: boolean;
};

/**
 * Sessions that are used by one at a time: for a statement, or for a transaction; but for those of short reads, see
 * {@link SharedSessions}. A session that was lost, or of which it is not known what the server does on it, is never used again.
 */
export class Pool implements Queryable {
  readonly deadline: number;
  readonly #pool: pg.Pool;
  readonly #used = new Set<ServerSession>();
  readonly #shared = new SharedSessions(work => this.use(work));
  readonly #shares: boolean;
  #closed: Promise<void> | undefined;
  #lost = 0;
  #overdue = 0;
  #nodeFailures = 0;
  #mayBeOfCluster = true;

  constructor(
    config: pg.ClientConfig,
    { size, deadline, timeout, Session, shares = false, prepare }: PoolOptions,
  ) {
    this.deadline = deadline;
    this.#shares = shares;
    // The pool waits for it, which its types do not tell.
    const ready: (session: pg.ClientBase) => unknown = async session => {
      await prepare(session as ServerSession);
      this.#mayBeOfCluster = (session as ServerSession).isOfCluster;
    };
    this.#pool = new pg.Pool({
      ...config,
      max: size,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: timeout,
      // Plans and caches of a session do not grow for ever.
      maxLifetimeSeconds: 3600,
      Client: Session as unknown as new () => pg.ClientBase,
      onConnect: ready,
    });
    // A session that is lost while nobody uses it; the pool has removed it.
    this.#pool.on('error', () => this.#lost++);
  }

  /** Whether the server may be the coordinator of a cluster (Citus): until a session has told that it is none. */
  get mayBeOfCluster(): boolean {
    return this.#mayBeOfCluster;
  }

  get state(): PoolState {
    const { totalCount: sessions, idleCount: idle, waitingCount } = this.#pool;
    const waiting = waitingCount + this.#shared.waiting;
    const counts = { lost: this.#lost, overdue: this.#overdue, nodeFailures: this.#nodeFailures };
    return { sessions, idle, waiting, ...counts };
  }

  async rows<Row extends object>(statement: Fragment, running: Running = {}): Promise<Row[]> {
    return (await this.#runOnce(statement, running)).rows as Row[];
  }

  async run(statement: Fragment, running: Running = {}): Promise<number> {
    return (await this.#runOnce(statement, { ...running, arrays: true })).rowCount ?? 0;
  }

  /** The rows as arrays of values. */
  async arrays<Value>(statement: Fragment, running: Running = {}): Promise<Value[][]> {
    return (await this.#runOnce(statement, { ...running, arrays: true })).rows as Value[][];
  }

  /** Runs the work on a session of its own. One that the work leaves in doubt it must destroy. */
  async use<T>(work: (session: ServerSession) => Promise<T>): Promise<T> {
    const session = await this.#take();
    this.#used.add(session);
    try {
      return await work(session);
    } finally {
      this.#used.delete(session);
      this.#nodeFailures += session.takeNodeFailures();
      if (session.isLost) this.#lost++;
      if (session.isOverdue) this.#overdue++;
      session.release(session.isLost);
    }
  }

  /** Ends the sessions: idle ones at once, others when they are free, or destroyed after so many milliseconds. */
  close(timeout: number): Promise<void> {
    this.#closed ??= this.#close(timeout);
    return this.#closed;
  }

  async #close(timeout: number): Promise<void> {
    const closed = this.#pool.end();
    const timer = setTimeout(() => {
      for (const session of this.#used) session.destroy(new Error('the pool was closed'));
    }, timeout);
    await closed;
    clearTimeout(timer);
  }

  #runOnce(statement: Fragment, running: Omit<Sending, 'deadline'> & Running): Promise<pg.QueryResult> {
    const { shared = this.#shares, ...sending } = running;
    const how = { deadline: this.deadline, prepare: true, ...sending };
    if (shared) return this.#shared.send(statement, how);
    return this.use(session => session.sendCommitting(statement, how));
  }

  async #take(): Promise<ServerSession & pg.PoolClient> {
    try {
      return (await this.#pool.connect()) as ServerSession & pg.PoolClient;
    } catch (error) {
      throw noSession(error);
    }
  }
}

/** Sessions that are shared at a time; each costs the server a process. */
const maxSessions = 4;

/**
 * Most statements that are sent on a session at once. With more of them (32) as many requests are served a second, but of pages of a
 * hundred rows some wait five times as long as most do.
 */
const maxBatched = 8;

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
class SharedSessions {
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
    return this.#waiting.splice(0, maxBatched);
  }
}
