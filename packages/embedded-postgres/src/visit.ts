import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { closeAccess, openAccess, prepareAccess } from './access.ts';
import { startGuard } from './guard.ts';
import { EmbeddedPostgresError } from './error.ts';
import { findBinaries, majorOf } from './binaries.ts';
import {
  clusterExists,
  clusterUser,
  layoutOf,
  makeCluster,
  makeDataDirectory,
  requireCluster,
  requireMajor,
  takeOver,
  type Layout,
} from './cluster.ts';
import { chooseIdentity, type Identity, overflowUid } from './identity.ts';
import { makePassword, readPassword } from './password.ts';
import { reloadServer, removeForeignLock, startServer, stopServer, type Attempt } from './server.ts';
import { isRejected, signIn, type Presence } from './presence.ts';
import { socketPath, type SocketPath, type SocketTarget } from './socket-path.ts';

export interface EmbeddedPostgres {
  readonly target: SocketTarget;
  /** Why PostgreSQL cannot be started again after it crashed; null while it runs. */
  readonly failure: string | null;
  /** Stops PostgreSQL if no other process uses it. Close all sessions of this process first. */
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDirectory: string;
  /** Rejects a data folder without a database, which would be made otherwise. */
  readonly mustExist?: boolean;
  /** Receives messages for the operator. */
  readonly log?: (line: string) => void;
  /** Is told each minute why PostgreSQL cannot be started again after it crashed. */
  readonly failed?: (reason: string) => void;
  /** Override the default settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Milliseconds to wait for a server that neither ends nor accepts a session. A recovery may take long. */
const timeout = 600_000;

/** Milliseconds until PostgreSQL has read its opened rules of access. */
const rejectedTimeout = 10_000;

/** Milliseconds between attempts to start PostgreSQL again. */
const retryInterval = 5_000;

/** Milliseconds between two reports that it did not start. */
const reportInterval = 60_000;

/** Bytes: less cannot take the next segment of the write-ahead log. */
const tightDisk = 16 * 2 ** 20;

/** Milliseconds of waiting after which the operator gets a message. */
const noticeAfter = 3_000;

/**
 * Opens the embedded PostgreSQL of a data folder. It makes the cluster if it is missing, starts PostgreSQL if no process has, and starts it again if
 * it crashes later.
 * @throws an EmbeddedPostgresError.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const layout = layoutOf(options.dataDirectory);
  if (options.mustExist) await requireCluster(layout);
  await makeDataDirectory(layout);
  await chooseIdentity(layout.dataDirectory, layout.cluster);
  await makePassword(layout);
  const socket = await socketPath(layout.cluster);
  const target = targetOf(layout, socket, 'kontor');
  const visit = new Visit(layout, { ...target, database: 'postgres' }, options);
  try {
    const presence = await visit.enter();
    await makeDatabase(presence, target.database);
  } catch (error) {
    await visit.leave();
    await socket.remove();
    throw error;
  }
  return {
    target,
    get failure() {
      return visit.failure;
    },
    async close() {
      await visit.leave();
      await socket.remove();
    },
  };
}

/** Closes for a process that ended without doing so: stops PostgreSQL if no other process uses it. */
export async function leaveInPlace(dataDirectory: string): Promise<void> {
  const layout = layoutOf(dataDirectory);
  const socket = await socketPath(layout.cluster);
  const presence = await signIn(targetOf(layout, socket, 'postgres'), () => {});
  if (!(presence instanceof Error)) await presence.leave(() => stopServer(layout));
  await socket.remove();
}

function targetOf(layout: Layout, socket: SocketPath, database: string): SocketTarget {
  const password = () => readPassword(layout);
  return { socketDirectory: socket.directory, user: clusterUser, password, database };
}

async function makeDatabase({ session }: Presence, name: string): Promise<void> {
  const found = await session.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (found.rowCount! > 0) return;
  try {
    await session.query(`CREATE DATABASE ${name}`);
  } catch (error) {
    // Another process was faster: duplicate_database, or unique_violation at the same instant.
    if (!['42P04', '23505'].includes((error as pg.DatabaseError).code ?? '')) throw error;
  }
}

/** The use of PostgreSQL by this process: its presence, its guard, and the server if this process started it. */
class Visit {
  readonly #layout: Layout;
  readonly #target: SocketTarget;
  readonly #options: EmbeddedPostgresOptions;
  readonly #guard: ReturnType<typeof startGuard>;
  #attempt: Attempt | null = null;
  #presence: Presence | null = null;
  #returning: Promise<unknown> | null = null;
  #leaving = false;
  readonly #left = new AbortController();
  failure: string | null = null;

  constructor(layout: Layout, target: SocketTarget, options: EmbeddedPostgresOptions) {
    this.#layout = layout;
    this.#target = target;
    this.#options = options;
    this.#guard = startGuard(layout.dataDirectory);
  }

  /** Signs in, and starts PostgreSQL as often as necessary. */
  async enter(): Promise<Presence> {
    const began = performance.now();
    let reported = false;
    let rejectedAt: number | null = null;
    for (let pause = 2; !this.#leaving || (await this.#runs()); pause = Math.min(pause * 1.5, 250)) {
      const answer = await signIn(this.#target, () => this.#return());
      if (!(answer instanceof Error)) {
        this.#presence = answer;
        await closeAccess(this.#layout, await this.#identity(), answer.session);
        return answer;
      }
      const waited = performance.now() - began;
      if (waited > timeout)
        throw new EmbeddedPostgresError(`The embedded PostgreSQL does not answer: ${answer.message}`);
      if (waited > noticeAfter && !reported && !isAbsent(answer)) {
        reported = true;
        this.#options.log?.(`waiting for the embedded PostgreSQL: ${answer.message}`);
      }
      if (isAbsent(answer)) await this.#start();
      if (isRejected(answer)) {
        rejectedAt ??= waited;
        if (waited - rejectedAt > rejectedTimeout) throw answer;
        await openAccess(this.#layout, await this.#identity());
        await reloadServer(this.#layout);
      }
      await delay(pause);
    }
    throw new EmbeddedPostgresError('The embedded PostgreSQL was left while it started');
  }

  /** Whether the server that this process started is running. Leaving before it is ready would leave it running. */
  async #runs(): Promise<boolean> {
    return this.#attempt !== null && (await this.#attempt.failure()) === null;
  }

  async #start(): Promise<void> {
    if (await this.#runs()) return;
    const failure = (await this.#attempt?.failure()) ?? null;
    if (failure !== null) await this.#checker(failure);
    const identity = await this.#identity();
    const binaries = await findBinaries(identity);
    await requireMajor(this.#layout, majorOf(binaries, identity));
    await makeCluster(this.#layout, binaries, identity);
    if (identity.credentials.uid !== undefined) takeOver(this.#layout.cluster, overflowUid, identity);
    await prepareAccess(this.#layout, identity);
    this.#attempt = await startServer(this.#layout, binaries, identity, this.#options.settings ?? {});
  }

  #identity(): Promise<Identity> {
    return chooseIdentity(this.#layout.dataDirectory, this.#layout.cluster);
  }

  /** @throws unless the start failed because another server exists, or because a killed one left files. */
  async #checker(failure: string): Promise<void> {
    if (/lock file "postmaster\.pid"/.test(failure)) return removeForeignLock(this.#layout);
    if (/pre-existing shared memory block|shutting down|terminating/.test(failure)) return;
    // The log may be on the same disk, and have no word of it.
    const { bavail, bsize } = await statfs(this.#layout.dataDirectory);
    const reason = bavail * bsize < tightDisk ? 'the disk of the data folder is full' : failure;
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL did not start: ${reason} (log: ${this.#layout.log})`,
    );
  }

  #return(): void {
    if (this.#leaving) return;
    this.#presence = null;
    this.#attempt = null;
    this.#returning = this.#startAgain();
  }

  /** Starts PostgreSQL after it crashed, as often as necessary: a full disk may be cleared hours later. Ends when its data was removed. */
  async #startAgain(): Promise<void> {
    let reportedAt = -Infinity;
    while (!this.#leaving && (await clusterExists(this.#layout)))
      try {
        await this.enter();
        this.failure = null;
        return;
      } catch (error) {
        if (this.#leaving) return;
        this.#attempt = null;
        this.failure = (error as Error).message;
        if (performance.now() - reportedAt >= reportInterval) {
          reportedAt = performance.now();
          this.#options.failed?.(this.failure);
        }
        await delay(retryInterval, null, { signal: this.#left.signal }).catch(() => {});
      }
  }

  async leave(): Promise<void> {
    this.#leaving = true;
    this.#left.abort();
    await this.#returning;
    await this.#presence?.leave(async () => {
      await stopServer(this.#layout);
      await this.#attempt?.waitForEnd();
    });
    await this.#guard.release();
  }
}

function isAbsent(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ECONNREFUSED';
}
