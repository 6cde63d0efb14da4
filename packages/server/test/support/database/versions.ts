import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../../../../', import.meta.url));

/** The commit of 0.2.0, for a clone without its tag. */
const release = '5ab2fb3363cbda1dc76cd5647ce2fb9091e2fadc';

/**
 * The last release: its processes must be able to go on and to start beside this version. It is the newest tag before the last
 * commit, so that a release itself is tested beside the one before it. It runs on the packages of this version, so `package.json` has fastify,
 * which 0.2.0 needs, until the next release.
 */
export const lastRelease = await run(
  'git',
  ['describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^'],
  { cwd: repository },
).then(
  ({ stdout }) => stdout.trim(),
  () => release,
);

/** A version of Kontor in a folder of its own. */
export interface Version {
  readonly folder: string;
  /** The script of its command. */
  readonly program: string;
  readonly migrations: string;
  /** Its OpenAPI document of the public API. */
  readonly document: string;
}

/** The last release; null where the history of the repository does not reach back to it. */
export async function releasedVersion(): Promise<Version | null> {
  const git = (...args: string[]) => run('git', args, { cwd: repository });
  const isThere = await git('rev-parse', '--verify', '--quiet', `${lastRelease}^{commit}`).catch(() => null);
  if (isThere === null) return null;
  const version = await emptyVersion('openapi/public.json');
  const archive = path.join(version.folder, 'release.tar');
  await git(
    'archive',
    '--output',
    archive,
    lastRelease,
    'packages',
    'package.json',
    'openapi',
    'CHANGELOG.md',
    'docs',
  );
  await run('tar', ['-xf', archive, '-C', version.folder]);
  return version;
}

/** This version as it is in the working tree, with more migrations, by name. */
export async function nextVersion(more: Readonly<Record<string, string>>): Promise<Version> {
  const version = await emptyVersion('openapi/public.json');
  for (const part of ['packages/contract', 'packages/server', 'package.json', 'openapi'])
    await cp(path.join(repository, part), path.join(version.folder, part), { recursive: true });
  for (const [name, text] of Object.entries(more))
    await writeFile(path.join(version.migrations, `${name}.sql`), text);
  return version;
}

/** A folder that finds the installed packages and its own contract; it is removed after the tests of the file. */
async function emptyVersion(document: string): Promise<Version> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-version-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const own = path.join(folder, 'packages/node_modules/@kontor');
  await mkdir(own, { recursive: true });
  await symlink('../../contract', path.join(own, 'contract'));
  await symlink(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'));
  const server = path.join(folder, 'packages/server');
  return {
    folder,
    program: path.join(server, 'bin/kontor.js'),
    migrations: path.join(server, 'migrations'),
    document: path.join(folder, document),
  };
}
