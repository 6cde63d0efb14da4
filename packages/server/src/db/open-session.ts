import type pg from 'pg';
import { noSession } from './failure.ts';
import { prepareSession } from './prepare-session.ts';
import { ServerSession } from './session.ts';
import { clientConfig, type DatabaseTarget } from './target.ts';

export interface SessionOptions {
  /** What the server shows of the session. */
  readonly applicationName?: string;
  /** Milliseconds that a statement may take. */
  readonly deadline?: number;
  /** Milliseconds until a server that does not answer counts as away, and that one waits for a session of a pool. */
  readonly timeout?: number;
}

/** Milliseconds that a statement may take where nobody waits for an answer of the service. */
export const defaultDeadline = 60_000;

export const defaultTimeout = 5_000;

/** What the driver is told of every session. */
export function sessionConfig(
  target: DatabaseTarget,
  { applicationName = 'kontor' }: SessionOptions,
): pg.ClientConfig {
  return { application_name: applicationName, pipeline: true, keepAlive: true, ...clientConfig(target) };
}

/**
 * A session of its own, beside the pools. Whoever opens it destroys it.
 * @throws those of the server, NoSession.
 */
export async function openSession(
  target: DatabaseTarget,
  options: SessionOptions = {},
): Promise<ServerSession> {
  const session = new ServerSession({
    ...sessionConfig(target, options),
    connectionTimeoutMillis: options.timeout ?? defaultTimeout,
  });
  try {
    await session.connect();
    await prepareSession(session, options.deadline ?? defaultDeadline);
    return session;
  } catch (error) {
    session.destroy(error as Error);
    throw noSession(error);
  }
}
