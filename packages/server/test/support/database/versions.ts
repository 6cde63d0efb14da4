import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../../../../', import.meta.url));

/** A release, as the history has it. */
interface Release {
  readonly version: string;
  readonly commit: string;
}

/**
 * The last release: its processes must be able to go on and to start beside this version. It is the newest commit of a release before the
 * last commit, so that a release itself is tested beside the one before it. It needs no tags, which a clone may lack; null where the
 * history does not reach back to one.
 */
export const lastRelease: Release | null = await findLastRelease();

async function findLastRelease(): Promise<Release | null> {
  const subject = ['--extended-regexp', '--grep', String.raw`^Release [0-9]+\.[0-9]+\.[0-9]+$`];
  const found = await run('git', ['log', '-1', '--format=%H %s', ...subject, 'HEAD^'], {
    cwd: repository,
  }).catch(() => ({ stdout: '' }));
  const [commit, , version] = found.stdout.trim().split(' ');
  return commit && version ? { version, commit } : null;
}

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
  if (lastRelease === null) return null;
  const version = await emptyVersion('openapi/public.json');
  const archive = path.join(version.folder, 'release.tar');
  const parts = ['packages', 'package.json', 'openapi', 'CHANGELOG.md', 'docs'];
  await run('git', ['archive', '--output', archive, lastRelease.commit, ...parts], { cwd: repository });
  await run('tar', ['-xf', archive, '-C', version.folder]);
  return version;
}

/** What a build writes into the server, perhaps for another test at this moment. A service starts without it. */
const built = ['documentation', 'portal'].map(name => path.join(repository, 'packages/server', name));

/** This version as it is in the working tree, with more migrations, by name. */
export async function nextVersion(more: Readonly<Record<string, string>>): Promise<Version> {
  const version = await emptyVersion('openapi/public.json');
  for (const part of ['packages/contract', 'packages/server', 'package.json', 'openapi'])
    await cp(path.join(repository, part), path.join(version.folder, part), {
      recursive: true,
      filter: source => !built.includes(source),
    });
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
