import type pg from 'pg';

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

/** The options of the driver that name the database. */
export function clientConfig(target: DatabaseTarget): pg.ClientConfig {
  if ('url' in target) return { connectionString: withLibpqModes(target.url) };
  const { socketDirectory, user, database } = target;
  return { host: socketDirectory, port: socketPort, user, database, ssl: false };
}

/** `sslmode` means what it does to libpq; left to itself the driver takes `require` for `verify-full`. */
function withLibpqModes(text: string): string {
  const url = URL.parse(text);
  if (!url?.searchParams.has('sslmode') || url.searchParams.has('uselibpqcompat')) return text;
  url.searchParams.set('uselibpqcompat', 'true');
  return url.href;
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
