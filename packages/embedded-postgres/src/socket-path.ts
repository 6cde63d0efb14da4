import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The number in the socket's file name; the embedded PostgreSQL does not listen on TCP. */
export const socketPort = 5432;

const socketName = `.s.PGSQL.${socketPort}`;

/** The smallest limit of all systems for the path of a Unix socket (macOS: 104 bytes with the final NUL). */
const longestPath = 103;

/** A database behind a Unix socket. */
export interface SocketTarget {
  readonly socketDirectory: string;
  readonly user: string;
  /** Reads the password for a new connection. */
  readonly password: () => Promise<string>;
  readonly database: string;
}

/** A path to the socket folder that is short enough to connect to. */
export interface SocketPath {
  readonly directory: string;
  remove(): Promise<void>;
}

/** Returns the folder itself. If its path is too long, returns a link to it from a private temporary folder. */
export async function socketPath(folder: string): Promise<SocketPath> {
  if (Buffer.byteLength(path.join(folder, socketName)) <= longestPath)
    return { directory: folder, remove: async () => {} };
  const temporary = await shortTemporaryFolder();
  const directory = path.join(temporary, 's');
  await symlink(folder, directory);
  return { directory, remove: () => rm(temporary, { recursive: true, force: true }) };
}

function shortTemporaryFolder(): Promise<string> {
  const own = path.join(tmpdir(), 'kontor-');
  const bytes = Buffer.byteLength(path.join(`${own}XXXXXX`, 's', socketName));
  return mkdtemp(bytes <= longestPath ? own : '/tmp/kontor-');
}
