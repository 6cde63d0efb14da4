import pg from 'pg';
import {
  ConnectionLost,
  StatementOverdue,
  UnconfirmedCommit,
  isConnectionLost,
  isDoubt,
  stateOf,
} from './failure.ts';
import { currentSpan, type Span, startSpan } from '../lib/tracing.ts';
import type { ChooseServer } from './servers/servers.ts';
import type { Fragment } from './sql.ts';

/** A pool, or the session of a transaction. */
export interface Queryable {
  /** Returns the rows as objects by column name. */
  rows<Row extends object>(statement: Fragment): Promise<Row[]>;
  /** Runs a statement and returns how many rows it read or changed. */
  run(statement: Fragment): Promise<number>;
}

export interface Sending {
  /** Milliseconds without a reply until the connection is closed. */
  readonly deadline: number;
  /** Whether the session caches the plan of the text, up to {@link maxNames} texts. */
  readonly prepare?: boolean;
  /** Return rows as arrays of raw values, or build no row objects when rows are not read, see {@link ArrayStatement}. */
  readonly arrays?: boolean;
  /** Whether the statement may commit. Then the connection is kept after the deadline, see {@link ServerSession.unanswered}. */
  readonly commits?: boolean;
  /** Aborting it closes the connection, which also ends the statement on the server. */
  readonly signal?: AbortSignal | undefined;
  /** The span that this statement is part of; absent: the current one. */
  readonly span?: Span | undefined;
}

export interface SessionConfig extends pg.ClientConfig {
  /** Absent: the configured host is the server. */
  readonly chooseServer?: ChooseServer | undefined;
}

/** Members of the driver's client that its types omit (pg 8.23). */
interface ClientMembers {
  host: string;
  port: number;
  ssl: unknown;
  readonly connection: { ssl: unknown };
}

/**
 * A session with a client-side deadline for each statement. A missed deadline destroys the connection, because the state of its statements is
 * unknown, unless a commit is in progress.
 */
export class ServerSession extends pg.Client {
  #loss: Error | null = null;
  #unanswered: Promise<void> | null = null;
  #unconfirmed = false;
  #isCollecting = false;
  readonly #chooseServer: ChooseServer | undefined;
  /** Called for each error that the server reports. */
  onError: (error: Error) => void = () => {};

  constructor(config: SessionConfig) {
    super(config);
    this.#chooseServer = config.chooseServer;
    // Permanent listeners: an unhandled 'error' event would end the process, and the pool removes its own listener while a session is in use.
    this.on('error', error => (this.#loss ??= error));
    this.on('end', () => (this.#loss ??= new Error('the connection was closed')));
    this.on('notice', notice => (this.#unconfirmed ||= isDoubt(notice)));
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | undefined) => void): void;
  override connect(callback?: (error: Error | undefined) => void): Promise<pg.Client> | void {
    const connected = this.#chooseServer ? this.#connectToChosen(this.#chooseServer) : super.connect();
    if (!callback) return connected;
    // The pool of the driver takes a callback.
    void connected.then(
      () => process.nextTick(callback),
      (error: Error) => process.nextTick(callback, error),
    );
  }

  async #connectToChosen(choose: ChooseServer): Promise<pg.Client> {
    // The driver handles errors of the stream only once it connects.
    this.connection.stream.on('error', () => {});
    const { host, port, ssl } = await choose();
    if (this.connection.stream.destroyed) throw this.#loss ?? new Error('the connection was closed');
    const members = this as unknown as ClientMembers;
    Object.assign(members, { host, port, ssl });
    members.connection.ssl = ssl;
    return super.connect();
  }

  /** Whether the connection was closed because a statement got no reply in time. */
  get isOverdue(): boolean {
    return this.#loss instanceof StatementOverdue;
  }

  /**
   * Resolves when the server has answered a commit that missed its deadline, or the connection is closed. Null without such a commit.
   * A commit that waits for a standby goes on when its client is gone. It occupies a connection of the server until then, so its session must keep
   * its place in the pool.
   */
  get unanswered(): Promise<void> | null {
    return this.#unanswered;
  }

  get isLost(): boolean {
    return this.#loss !== null;
  }

  /**
   * Sends a statement at once, behind those in progress on this session.
   * @throws errors of the server, {@link ConnectionLost}, {@link StatementOverdue}, or the reason of the signal
   */
  send(statement: Fragment, how: Sending): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    // Callers may send several statements before they await the first. This prevents an unhandled rejection until then.
    promise.catch(() => {});
    const { deadline, signal, commits = false, span: parent = currentSpan() } = how;
    const span = parent && startStatement(statement, parent);
    const answered = Promise.withResolvers<void>();
    const giveUp = (reason: Error) => {
      settle(() => reject(reason));
      span?.end({ failure: reason });
    };
    const onAbort = () => {
      this.destroy(signal!.reason as Error);
      giveUp(signal!.reason as Error);
    };
    const onOverdue = () => {
      const reason = new StatementOverdue(`no reply within ${deadline} ms`);
      if (commits) this.#leaveUnanswered(reason, answered.promise);
      else this.destroy(reason);
      giveUp(reason);
    };
    const timer = setTimeout(onOverdue, deadline);
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      outcome();
    };
    if (signal?.aborted) onAbort();
    else {
      signal?.addEventListener('abort', onAbort);
      this.#submit(statement, how, (error, result) => {
        answered.resolve();
        settle(() => (error ? reject(this.#explained(error)) : resolve(result)));
        span?.end({ failure: error ?? undefined });
      });
    }
    return promise;
  }

  /**
   * Sends a statement that commits, while no other is in progress.
   * @throws like {@link send}, and {@link UnconfirmedCommit}
   */
  async sendCommitting(statement: Fragment, how: Sending): Promise<pg.QueryResult> {
    this.#unconfirmed = false;
    const result = await this.send(statement, { ...how, commits: true });
    if (this.#unconfirmed)
      throw new UnconfirmedCommit('a commit was not confirmed by a standby or another server');
    return result;
  }

  /** Runs work that must not share the connection with pipelined statements, such as a COPY. */
  async single(work: () => Promise<void>): Promise<void> {
    const self = this as { pipeline: boolean };
    self.pipeline = false;
    try {
      await work();
    } finally {
      self.pipeline = true;
    }
  }

  /** Corks the socket until the next tick, because a write to the socket costs more than the statements in it. */
  #collect(): void {
    if (this.#isCollecting) return;
    this.#isCollecting = true;
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isCollecting = false;
      stream.uncork();
    });
  }

  #leaveUnanswered(reason: Error, answered: Promise<void>): void {
    this.#loss ??= reason;
    this.#unanswered = answered;
  }

  /** Closes the connection without a protocol message, which ends the running statement on the server. */
  destroy(reason: Error): void {
    this.#loss ??= reason;
    this.connection.stream.destroy(reason);
  }

  #submit(statement: Fragment, { prepare, arrays }: Sending, done: Done): void {
    this.#collect();
    const { text, values } = statement;
    const name = prepare && values.length > 0 ? statementName(text) : undefined;
    if (arrays) this.query(new ArrayStatement(statement, name, done));
    else this.query({ text, values, ...(name !== undefined && { name }) }, done);
  }

  #explained(error: Error): Error {
    if (isConnectionLost(error)) this.#loss ??= error;
    if (stateOf(error) !== undefined) {
      this.onError(error);
      return error;
    }
    // An error without a SQLSTATE is a lost connection, a malformed reply or a value that cannot be sent.
    // The state of the session is unknown in all three cases.
    const unsent = !this.isLost && !(error instanceof pg.DatabaseError);
    this.destroy(error);
    return unsent ? error : new ConnectionLost(error.message, { cause: error });
  }
}

/** A span with the text of a statement, which has no values. */
function startStatement({ text }: Fragment, parent: Span): Span | undefined {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.trim() };
  return startSpan(/\w+/.exec(text)?.[0] ?? 'statement', { kind: 'client', attributes, parent });
}

/** Maximum prepared texts. Each session keeps their plans until it closes. */
const maxNames = 400;

const names = new Map<string, string>();

/** The prepared statement name of a text; undefined when the limit is reached. */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxNames) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

export type Done = (error: Error | null, result: pg.QueryResult) => void;

/**
 * A statement that returns raw values as arrays, or whose rows are not read. The driver's own class creates objects, parsers and a copy of
 * the configuration per statement. That is some 7 % of the process's work for a page of 100 documents, and some 3 % for a create.
 */
class ArrayStatement extends pg.Query {
  readonly #rows: unknown[][] = [];
  readonly #done: Done;
  #command = '';
  #count = 0;

  /** `name` is the prepared statement name. */
  constructor({ text, values }: Fragment, name: string | undefined, done: Done) {
    super(text, values, done as unknown as (error: Error | undefined) => void);
    this.#done = done;
    // The driver reads it when it sends the statement (pg 8.23).
    if (name !== undefined) Object.assign(this, { name });
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: unknown[] }): void {
    this.#rows.push(fields);
  }

  /** `text` is a command tag: `COMMIT`, `UPDATE 3`, `INSERT 0 1`. */
  handleCommandComplete({ text }: { text: string }): void {
    const words = text.split(' ');
    this.#command = words[0]!;
    this.#count = Number(words.at(-1)) || 0;
  }

  handleReadyForQuery(): void {
    this.#done(null, {
      rows: this.#rows,
      rowCount: this.#count,
      command: this.#command,
      oid: 0,
      fields: [],
    });
  }
}
