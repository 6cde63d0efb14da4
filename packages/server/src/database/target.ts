import path from 'node:path';
import type postgres from 'postgres';

/**
 * Where a database is: a PostgreSQL URL, or the Unix socket of the embedded one. The URL may name a socket folder by
 * `?host=/folder`, as libpq does.
 */
export type DatabaseTarget = { readonly url: string } | SocketTarget;

/** A database behind the Unix socket in a folder. Whoever reaches the socket is trusted. */
export interface SocketTarget {
  readonly socketDirectory: string;
  readonly user: string;
  readonly database: string;
}

/** The number in the name of a socket; the embedded PostgreSQL listens on no TCP port. */
const socketPort = 5432;

/** The file name of the socket that PostgreSQL makes in its socket folder. */
export const socketName = `.s.PGSQL.${socketPort}`;

/** The options of the driver that name the database: those of a URL come apart from the rest, because it parses them. */
export function driverTarget(target: DatabaseTarget): {
  url: string;
  options: postgres.Options<Record<string, never>>;
} {
  if ('socketDirectory' in target) {
    const { socketDirectory, user, database } = target;
    return { url: 'postgres://', options: { ...socket(socketDirectory, socketPort), user, database } };
  }
  const url = URL.parse(target.url);
  const directory = url?.searchParams.get('host');
  if (url === null || !directory?.startsWith('/')) return { url: target.url, options: {} };
  const port = Number(url.port || url.searchParams.get('port') || socketPort);
  url.searchParams.delete('host');
  url.searchParams.delete('port');
  return { url: url.href, options: socket(directory, port) };
}

function socket(directory: string, port: number): { path: string; port: number; ssl: false } {
  return { path: path.join(directory, `.s.PGSQL.${port}`), port, ssl: false };
}

/** The target as a URL, for a process of its own. */
export function targetUrl(target: DatabaseTarget): string {
  if ('url' in target) return target.url;
  const { socketDirectory, user, database } = target;
  return `postgres://${encodeURIComponent(user)}@localhost/${encodeURIComponent(database)}?host=${encodeURIComponent(socketDirectory)}`;
}

/** The same server, another database. */
export function withDatabase(target: DatabaseTarget, database: string): DatabaseTarget {
  if ('socketDirectory' in target) return { ...target, database };
  const url = new URL(target.url);
  url.pathname = `/${encodeURIComponent(database)}`;
  return { url: url.href };
}
