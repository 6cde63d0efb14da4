import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { lchownSync, lstatSync, readdirSync } from 'node:fs';
import {
  chmod,
  chown,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError, explainFileError } from './error.ts';
import type { Binaries } from './binaries.ts';
import { childEnvironment, chooseInitialIdentity, type Identity } from './identity.ts';

/** The database user that `initdb` makes, a superuser. */
export const clusterUser = 'kontor';

export interface Layout {
  readonly dataDirectory: string;
  readonly cluster: string;
  readonly log: string;
  /** The file with the password of {@link clusterUser}. */
  readonly password: string;
}

export function layoutOf(dataDirectory: string): Layout {
  const root = path.resolve(dataDirectory);
  const cluster = path.join(root, 'postgres');
  return { dataDirectory: root, cluster, log: `${cluster}.log`, password: `${cluster}.password` };
}

/** Makes the data folder for this user only. Folders above it get the default mode. */
export async function makeDataDirectory({ dataDirectory }: Layout): Promise<void> {
  try {
    await mkdir(path.dirname(dataDirectory), { recursive: true });
    await mkdir(dataDirectory);
    // As root, PostgreSQL runs as another user. Only on Linux can it work in a folder that it cannot reach.
    await chmod(dataDirectory, process.getuid?.() === 0 && process.platform !== 'linux' ? 0o711 : 0o700);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const present = code === 'EEXIST' && (await isDirectory(dataDirectory));
    if (!present) throw explainFileError(error, `The data folder ${dataDirectory} cannot be made`);
  }
}

/** Opens a new file in the data folder, for its owner only, also when root makes it. */
export async function openNew(file: string, dataDirectory: string): Promise<FileHandle> {
  const { uid, gid } = await stat(dataDirectory);
  const handle = await open(file, 'ax', 0o600);
  if (process.getuid!() === 0) await handle.chown(uid, gid);
  return handle;
}

function isDirectory(place: string): Promise<boolean> {
  return stat(place).then(
    found => found.isDirectory(),
    () => false,
  );
}

/** Whether the cluster exists. It appears complete or not at all. */
export async function clusterExists({ cluster }: Layout): Promise<boolean> {
  return stat(path.join(cluster, 'PG_VERSION')).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw explainFileError(error, `The data folder ${cluster} cannot be read`);
    },
  );
}

/** @throws EmbeddedPostgresError when there is no cluster. */
export async function requireCluster(layout: Layout): Promise<void> {
  if (await clusterExists(layout)) return;
  throw new EmbeddedPostgresError(
    `There is no database in the folder ${layout.dataDirectory}: name another one with --data-dir or KONTOR_DATA_DIR, set DATABASE_URL, or create one with "kontor migrate"`,
  );
}

/** Rejects a cluster of another major version, which PostgreSQL cannot read. @throws EmbeddedPostgresError with instructions. */
export async function requireMajor(layout: Layout, major: number): Promise<void> {
  if (!(await clusterExists(layout))) return;
  const made = Number(await readFile(path.join(layout.cluster, 'PG_VERSION'), 'utf8'));
  if (made !== major)
    throw new EmbeddedPostgresError(
      `The data folder ${layout.dataDirectory} is of PostgreSQL ${made}, and the embedded one is ${major} now: with the version of Kontor from before run "kontor backup", then with this one "kontor restore" into a new folder`,
    );
}

/** Makes the cluster in a temporary folder and then renames it: a killed process leaves no incomplete one, and the first of several wins. */
export async function makeCluster(layout: Layout, binaries: Binaries, identity: Identity): Promise<void> {
  if (await clusterExists(layout)) return;
  const draft = `${layout.cluster}.new-${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(draft, { mode: 0o700 });
    const initial = await chooseInitialIdentity(identity);
    if (initial.credentials.uid !== undefined) await chown(draft, initial.uid, initial.gid);
    await initialise(draft, binaries, initial);
    takeOver(draft, initial.uid, identity);
    await rename(draft, layout.cluster);
    await sync(layout.dataDirectory);
  } catch (error) {
    // The winner of a race removes the drafts of the others, which then fail.
    if (!(await clusterExists(layout))) {
      await rm(draft, { recursive: true, force: true });
      throw explainFileError(error, `The data folder ${layout.dataDirectory} cannot be written`);
    }
  }
  await removeDrafts(layout);
}

/**
 * Gives the files of a user to `identity`. A folder changes its owner before it is read: from then on the former one can put no link into it that leads
 * to the file of another user.
 */
export function takeOver(place: string, from: number, { uid, gid }: Pick<Identity, 'uid' | 'gid'>): void {
  if (from === uid) return;
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found?.uid === from) lchownSync(place, uid, gid);
  if (found?.isDirectory())
    for (const name of readdirSync(place)) takeOver(path.join(place, name), from, { uid, gid });
}

async function removeDrafts({ dataDirectory, cluster }: Layout): Promise<void> {
  const prefix = `${path.basename(cluster)}.new-`;
  const drafts = (await readdir(dataDirectory)).filter(name => name.startsWith(prefix));
  for (const name of drafts)
    // A running `initdb` of another process makes the removal fail; the next start repeats it.
    await rm(path.join(dataDirectory, name), { recursive: true, force: true }).catch(() => {});
}

async function initialise(folder: string, binaries: Binaries, identity: Identity): Promise<void> {
  const options =
    '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8 --auth=reject';
  const child = spawnInside(
    folder,
    binaries.initdb,
    pgdata => ['-D', pgdata, '-U', clusterUser, ...options.split(' ')],
    identity,
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const errors: string[] = [];
  child.stderr!.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status === 0) return;
  const lines = errors.join('').trim().split('\n');
  const line = lines.find(text => /error|fatal/i.test(text)) ?? lines.at(-1) ?? `status ${status}`;
  const words = line.replace(/^.*?\b(FATAL|PANIC|error): +/i, '').trim();
  // Containers may run with a user number that has no user.
  const advice = /user does not exist/.test(words)
    ? ': run as a user that the machine knows, or set DATABASE_URL'
    : '';
  throw new EmbeddedPostgresError(`The embedded PostgreSQL cannot be set up: ${words}${advice}`);
}

/**
 * Starts a program of PostgreSQL with the folder as data directory and working directory. Another user on Linux gets the working directory as data
 * directory: it is entered before the user changes, so the folders above need not be accessible.
 */
export function spawnInside(
  folder: string,
  program: string,
  options: (pgdata: string) => string[],
  identity: Identity,
  spawning: { stdio: ('ignore' | 'pipe' | number)[]; detached?: boolean },
): ChildProcess {
  const other = identity.credentials.uid !== undefined;
  const pgdata = other && process.platform === 'linux' ? '/proc/self/cwd' : folder;
  return spawn(program, options(pgdata), {
    ...identity.credentials,
    ...spawning,
    cwd: folder,
    env: childEnvironment,
  });
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
