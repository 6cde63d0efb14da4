import { ApiError } from '@kontor/contract';
import pg from 'pg';
import { currentSpan, inSpan, runInSpan } from '../lib/tracing.ts';
import { behindFailure, isOfNode, noSession, stateOf } from './failure.ts';
import { currentCaller, type SessionCaller } from './session-caller.ts';
import { SessionQueue, type SessionQueueOptions } from './session-queue.ts';
import { type Queryable, type Sending, ServerSession } from './session.ts';
import type { Fragment } from './sql.ts';

export interface PoolOptions {
  /** Default milliseconds that a statement may take. */
  readonly deadline: number;
  /** Milliseconds until a session must be open. */
  readonly timeout: number;
  /** The maximum of sessions, which are opened on demand, and the shares of callers. */
  readonly queue: SessionQueueOptions;
  /** Whether waiting statements are sent as a batch on one session. For short reads only. */
  readonly shares?: boolean;
  /** Prepares a new session. The pool discards the session when this rejects. */
  readonly prepare: (session: ServerSession) => Promise<void>;
}

export interface PoolState {
  readonly sessions: number;
  readonly idle: number;
  readonly waiting: number;
  /** Sessions lost since the start. */
  readonly lost: number;
  /** The lost sessions that were closed because a statement got no reply in time. */
  readonly overdue: number;
  /** Statements that failed since the start because a cluster node was unreachable. */
  readonly nodeFailures: number;
  /** Errors that the server reported since the start, by SQLSTATE class. */
  readonly errors: ReadonlyMap<string, number>;
}

/** Overrides of the pool's defaults for one statement. */
export type StatementOptions = Partial<Pick<Sending, 'deadline' | 'prepare' | 'signal'>> & {
  /** Whether the statement may be sent in a batch with other waiting ones. For short reads only; defaults to the pool's setting. */
  readonly shared?: boolean;
};

/**
 * Sessions with exclusive use for one statement or transaction, except for short reads, see {@link SharedSessions}.
 * Each use takes a place of the present caller, see {@link SessionQueue}. A lost session, or one in an unknown state, is never reused.
 */
export class Pool implements Queryable {
  readonly deadline: number;
  readonly #pool: pg.Pool;
  readonly #queue: SessionQueue;
  readonly #used = new Set<ServerSession>();
  readonly #shared = new SharedSessions((caller, work) => this.#use(caller, true, work));
  readonly #shares: boolean;
  #closed: Promise<void> | undefined;
  #lost = 0;
  #overdue = 0;
  #nodeFailures = 0;
  readonly #errors = new Map(classes.map(name => [name, 0]));

  constructor(config: pg.ClientConfig, { deadline, timeout, queue, shares = false, prepare }: PoolOptions) {
    this.deadline = deadline;
    this.#queue = new SessionQueue(queue);
    this.#shares = shares;
    // The pool awaits the promise, although the types omit that.
    const ready = async (session: ServerSession) => {
      await prepare(session);
      session.onError = error => this.#count(error);
    };
    this.#pool = new pg.Pool({
      ...config,
      max: queue.size,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: timeout,
      // Bounds the growth of plans and caches in a session.
      maxLifetimeSeconds: 3600,
      Client: ServerSession as unknown as new () => pg.ClientBase,
      onConnect: ready as unknown as (session: pg.ClientBase) => void,
    });
    // The pool has removed a session that was lost while idle.
    this.#pool.on('error', () => this.#lost++);
  }

  get state(): PoolState {
    const { totalCount: sessions, idleCount: idle } = this.#pool;
    const waiting = this.#queue.state.waiting + this.#shared.waiting;
    const counts = { lost: this.#lost, overdue: this.#overdue, nodeFailures: this.#nodeFailures };
    return { sessions, idle, waiting, ...counts, errors: this.#errors };
  }

  async rows<Row extends object>(statement: Fragment, running: StatementOptions = {}): Promise<Row[]> {
    return (await this.#runOnce(statement, running)).rows as Row[];
  }

  async run(statement: Fragment, running: StatementOptions = {}): Promise<number> {
    return (await this.#runOnce(statement, { ...running, arrays: true })).rowCount ?? 0;
  }

  async arrays<Value>(statement: Fragment, running: StatementOptions = {}): Promise<Value[][]> {
    return (await this.#runOnce(statement, { ...running, arrays: true })).rows as Value[][];
  }

  /**
   * Runs the work on an exclusive session. The work must destroy a session that it leaves in an unknown state. It must not use another session of this pool, as it may have the last one of its caller.
   */
  use<T>(work: (session: ServerSession) => Promise<T>): Promise<T> {
    return this.#use(currentCaller(), false, work);
  }

  /** The one way to a session. */
  async #use<T>(
    caller: SessionCaller | null,
    isBrief: boolean,
    work: (session: ServerSession) => Promise<T>,
  ): Promise<T> {
    const place = await this.#queue.take(caller, isBrief);
    let session: (ServerSession & pg.PoolClient) | undefined;
    try {
      session = await this.#take();
      this.#used.add(session);
      return await work(session);
    } finally {
      const end = () => this.#giveBack(session, place);
      if (session?.unanswered) void session.unanswered.then(end);
      else end();
    }
  }

  #giveBack(session: (ServerSession & pg.PoolClient) | undefined, place: Disposable): void {
    if (session) {
      this.#used.delete(session);
      if (session.isLost) this.#lost++;
      if (session.isOverdue) this.#overdue++;
      session.release(session.isLost);
    }
    place[Symbol.dispose]();
  }

  /** The sessions in use whose last commit missed its deadline and is not answered yet. */
  get unanswered(): ServerSession[] {
    return [...this.#used].filter(session => session.unanswered !== null);
  }

  /** Ends idle sessions at once and others when they are released. Destroys the remaining ones after `timeout` milliseconds. */
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

  #runOnce(
    statement: Fragment,
    running: Omit<Sending, 'deadline'> & StatementOptions,
  ): Promise<pg.QueryResult> {
    const { shared = this.#shares, ...sending } = running;
    const how = { deadline: this.deadline, prepare: true, ...sending, span: currentSpan() };
    if (shared) return this.#shared.send(statement, how);
    return this.use(session => session.sendCommitting(statement, how));
  }

  /** Counts an error of the server. The statements behind a failed one are not counted. */
  #count(error: unknown): void {
    const state = stateOf(error);
    if (state === undefined || state === behindFailure) return;
    if (isOfNode(error)) this.#nodeFailures++;
    const name = state.slice(0, 2);
    this.#errors.set(name, (this.#errors.get(name) ?? 0) + 1);
  }

  async #take(): Promise<ServerSession & pg.PoolClient> {
    try {
      const connect = () => this.#pool.connect();
      const isFree = this.#pool.idleCount > 0;
      const session = await (isFree ? connect() : inSpan('wait for a connection', connect));
      return session as ServerSession & pg.PoolClient;
    } catch (error) {
      this.#count(error);
      throw noSession(error);
    }
  }
}

/** SQLSTATE classes that are counted from zero on (PostgreSQL documentation, appendix A). Others are added with their first error. */
const classes = ['23', '25', '28', '40', '53', '55', '57', '58', 'XX'];

/** Maximum shared sessions of a caller. With fewer sessions the batches are larger, and waking a process of the server is most of the cost of one. */
const maxSessions = 2;

/** Maximum statements in a batch. With 32 on four sessions, some pages of a hundred rows waited five times as long as most. */
const maxBatched = 16;

interface Waiting {
  readonly statement: Fragment;
  readonly how: Sending;
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

/** The short statements of a caller. */
interface Batches {
  readonly caller: SessionCaller | null;
  readonly waiting: Waiting[];
  /** Sessions that it uses or waits for. */
  sessions: number;
}

/** Runs work on an exclusive session, in a place of the caller for brief work. */
type UseBriefly = (
  caller: SessionCaller | null,
  work: (session: ServerSession) => Promise<void>,
) => Promise<void>;

/**
 * Sends short statements in batches on the next free session. A batch is one write and one read of the socket on both sides.
 * A slow statement delays those behind it, and a lost connection fails the whole batch. So it is for short reads only, and of one caller.
 */
class SharedSessions {
  readonly #use: UseBriefly;
  readonly #batches = new Map<string, Batches>();

  constructor(use: UseBriefly) {
    this.#use = use;
  }

  get waiting(): number {
    return [...this.#batches.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** @throws errors of the statement and of acquiring a session */
  send(statement: Fragment, how: Sending): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const caller = currentCaller();
      const name = caller === null ? '' : `${caller.organizationId} ${caller.id}`;
      let batches = this.#batches.get(name);
      if (!batches) this.#batches.set(name, (batches = { caller, waiting: [], sessions: 0 }));
      batches.waiting.push({ statement, how, resolve, reject });
      if (batches.sessions < maxSessions) void runInSpan(undefined, () => this.#serve(name, batches));
    });
  }

  /** Acquires a session while statements wait, and sends the next batch on it. */
  async #serve(name: string, batches: Batches): Promise<void> {
    const { caller, waiting } = batches;
    batches.sessions++;
    while (waiting.length > 0)
      try {
        await this.#use(caller, session => sendOn(session, nextBatch(waiting)));
      } catch (error) {
        // No session was available.
        for (const { reject } of nextBatch(waiting)) reject(error);
      }
    batches.sessions--;
    if (batches.sessions === 0) this.#batches.delete(name);
  }
}

async function sendOn(session: ServerSession, batch: readonly Waiting[]): Promise<void> {
  const sent = batch.map(({ statement, how }) => session.send(statement, how));
  await Promise.all(sent.map((reply, index) => reply.then(batch[index]!.resolve, batch[index]!.reject)));
}

function nextBatch(waiting: Waiting[]): Waiting[] {
  return waiting.splice(0, maxBatched);
}

/** SQLSTATE query_canceled: the statement timed out, or another session canceled it. */
const canceled = '57014';

/**
 * Runs list statements. A brief one takes a few milliseconds at most.
 * @throws SERVICE_UNAVAILABLE when a statement times out
 */
export function execute(lists: Pool) {
  return async (
    statement: Fragment,
    {
      prepare,
      brief = false,
      signal,
    }: Pick<StatementOptions, 'signal'> & { prepare: boolean; brief?: boolean },
  ): Promise<(string | null)[][]> => {
    try {
      // A brief statement shares its connection, so its signal must not close it.
      return await lists.arrays(statement, brief ? { prepare, shared: true } : { prepare, signal });
    } catch (cause) {
      if (stateOf(cause) !== canceled) throw cause;
      const advice = 'The list took too long; narrow the filter, or sort by another field';
      throw new ApiError('SERVICE_UNAVAILABLE', advice, { cause });
    }
  };
}
