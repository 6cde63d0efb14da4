import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { socketName } from './target.ts';

/** The shortest of the bounds that systems put on the path of a Unix socket (macOS: 104 bytes with the final NUL). */
const longestPath = 103;

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
