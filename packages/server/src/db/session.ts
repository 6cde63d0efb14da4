import pg from 'pg';
import {
  ConnectionLost,
  StatementOverdue,
  UnconfirmedCommit,
  isConnectionLost,
  isDoubt,
  isOfNode,
  stateOf,
} from './failure.ts';
import type { Fragment } from './sql.ts';

/** Whatever runs statements: a pool, or the session of a transaction. */
export interface Queryable {
  /** The rows of a statement by the names of their columns. */
  rows<Row extends object>(statement: Fragment): Promise<Row[]>;
  /** Runs a statement and returns how many rows it read or changed. */
  run(statement: Fragment): Promise<number>;
}

/** How a statement is sent. */
export interface Sending {
  /** Milliseconds until the connection is given up when there is no reply. */
  readonly deadline: number;
  /** Whether the server keeps the plan of the text in this session, as far as there is room. */
  readonly prepare?: boolean;
  /** Rows as arrays of the values as they come, or none that anybody needs, see {@link ArrayStatement}. */
  readonly arrays?: boolean;
  /** When it is aborted the connection is given up, which ends the statement on the server, too. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A session of the server. Each statement has a deadline on our side: a connection that missed one is destroyed and never
 * used again, since nobody knows what the server does with what was sent on it.
 */
export class ServerSession extends pg.Client {
  /** Whether the server is the coordinator of a cluster (Citus); known once the session is prepared. */
  isOfCluster = false;
  #loss: Error | null = null;
  #unconfirmed = false;
  #nodeFailures = 0;
  #isGathering = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // For life: an error that nobody listens to would end the process, and the pool takes its own listener away while a
    // session is in use.
    this.on('error', error => (this.#loss ??= error));
    this.on('end', () => (this.#loss ??= new Error('the connection was closed')));
    this.on('notice', notice => (this.#unconfirmed ||= isDoubt(notice)));
  }

  /** Whether the connection was given up because a statement got no reply in time. */
  get isOverdue(): boolean {
    return this.#loss instanceof StatementOverdue;
  }

  /** Statements that have failed because the server had lost another one behind it; counted from zero after each look. */
  takeNodeFailures(): number {
    const failures = this.#nodeFailures;
    this.#nodeFailures = 0;
    return failures;
  }

  /** Whether the connection is gone. */
  get isLost(): boolean {
    return this.#loss !== null;
  }

  /**
   * Sends a statement at once, behind those that are under way on this session.
   * @throws those of the server, {@link ConnectionLost}, {@link StatementOverdue}, or the reason of the signal
   */
  send(statement: Fragment, how: Sending): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    // Several statements may be sent before the first is waited for: until then nobody else handles a failure.
    promise.catch(() => {});
    const { deadline, signal } = how;
    const giveUp = (reason: Error) => {
      this.destroy(reason);
      settle(() => reject(reason));
    };
    const onAbort = () => giveUp(signal!.reason as Error);
    const timer = setTimeout(() => giveUp(new StatementOverdue(`no reply within ${deadline} ms`)), deadline);
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      outcome();
    };
    if (signal?.aborted) onAbort();
    else {
      signal?.addEventListener('abort', onAbort);
      this.#submit(statement, how, (error, result) =>
        settle(() => (error ? reject(this.#explained(error)) : resolve(result))),
      );
    }
    return promise;
  }

  /**
   * Sends what commits, while nothing else is under way.
   * @throws as of {@link send}, and {@link UnconfirmedCommit}
   */
  async sendCommitting(statement: Fragment, how: Sending): Promise<pg.QueryResult> {
    this.#unconfirmed = false;
    const result = await this.send(statement, how);
    if (this.#unconfirmed)
      throw new UnconfirmedCommit('a commit was not confirmed by a standby or another server');
    return result;
  }

  /** Runs work that must not share the connection with other statements, which is what pipelining does (a COPY). */
  async alone(work: () => Promise<void>): Promise<void> {
    const self = this as { pipeline: boolean };
    self.pipeline = false;
    try {
      await work();
    } finally {
      self.pipeline = true;
    }
  }

  /** What is sent before the event loop goes on is one write to the socket, which costs more than the statements. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  /** Gives the connection up without a word, which ends what the server does on it. */
  destroy(reason: Error): void {
    this.#loss ??= reason;
    this.connection.stream.destroy(reason);
  }

  #submit(statement: Fragment, { prepare, arrays }: Sending, done: Done): void {
    this.#gather();
    const { text, values } = statement;
    const name = prepare && values.length > 0 ? statementName(text) : undefined;
    if (arrays) this.query(new ArrayStatement(statement, name, done));
    else this.query({ text, values, ...(name !== undefined && { name }) }, done);
  }

  #explained(error: Error): Error {
    if (isConnectionLost(error)) this.#loss ??= error;
    if (isOfNode(error)) this.#nodeFailures++;
    if (stateOf(error) !== undefined) return error;
    // Without a SQLSTATE it is the connection, a reply that nobody understands, or values that cannot be sent. In no case is
    // it known where the session stands.
    const unsent = !this.isLost && !(error instanceof pg.DatabaseError);
    this.destroy(error);
    return unsent ? error : new ConnectionLost(error.message, { cause: error });
  }
}

/** Most texts that are prepared: each session keeps the plan of each for good. */
const maxNames = 400;

const names = new Map<string, string>();

/** The name under which sessions keep the plan of a text; undefined when there are enough of them. */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxNames) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/** What is called with the outcome of a statement. */
export type Done = (error: Error | null, result: pg.QueryResult) => void;

/**
 * A statement whose rows are the values as they come, or of whose rows nobody needs anything. The driver's own makes objects,
 * parsers and a copy of the configuration for each statement, which for a page of 100 documents is some 7 % of what the process
 * does, for a create some 3 %.
 */
class ArrayStatement extends pg.Query {
  readonly #rows: unknown[][] = [];
  readonly #done: Done;
  #command = '';
  #count = 0;

  /** `name`: under which the server keeps the plan. */
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

  /** `text` is a command and what it has counted: `COMMIT`, `UPDATE 3`, `INSERT 0 1`. */
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
