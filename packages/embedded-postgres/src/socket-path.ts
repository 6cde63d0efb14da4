import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The number in the name of a socket; the embedded PostgreSQL listens on no TCP port. */
export const socketPort = 5432;

/** The file name of the socket that PostgreSQL makes in its socket folder. */
const socketName = `.s.PGSQL.${socketPort}`;

/** The shortest of the bounds that systems put on the path of a Unix socket (macOS: 104 bytes with the final NUL). */
const longestPath = 103;

/** A database behind the Unix socket in a folder. A client that reaches the socket is trusted. */
export interface SocketTarget {
  readonly socketDirectory: string;
  readonly user: string;
  readonly database: string;
}

/** A way to the socket in a folder that is short enough to connect to. */
export interface SocketPath {
  readonly directory: string;
  remove(): Promise<void>;
}

/** The folder itself, or when its path is too long a link to it from a private temporary folder. */
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
