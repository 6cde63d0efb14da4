// npm run release -- 0.4.0: makes a release in one commit with a tag. It raises the version of all packages, and puts version and day at
// the head of CHANGELOG.md. It keeps the contracts as the released ones, and rows for the tests of upgrades. It names the oldest version alongside
// in docs/upgrades.md, and the version in the manifests of Kubernetes.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { entriesOf, findUnlisted, keepReleased, readReleasedHeadings } from './contract-diff.ts';
import { writeDemoRows } from './release-rows.ts';

/** A reason not to release, for the person who asked for it. */
export class ReleaseRejected extends Error {
  override readonly name = 'ReleaseRejected';
}

interface Wanted {
  readonly version: string;
  /** Writes the rows of this version into the archive. */
  readonly writeRows: (root: string, archive: string) => Promise<void>;
  /** The day of the release, such as 2026-11-24. */
  readonly day: string;
}

/**
 * Makes the release in the repository `root`.
 * @throws ReleaseRejected before anything is written
 */
export async function release(root: string, wanted: Wanted): Promise<void> {
  await checkRelease(root, wanted.version);
  await dateChangelog(root, wanted);
  await keepReleased(root);
  await raiseVersions(root, wanted.version);
  await keepRows(root, wanted);
  await nameOldestVersion(root, wanted.version);
  await raiseImages(root, wanted.version);
  runGit(root, 'add', '--all');
  runGit(root, 'commit', '--quiet', '--message', `Release ${wanted.version}`);
  runGit(root, 'tag', '--annotate', tagOf(wanted.version), '--message', `Kontor ${wanted.version}`);
}

/** The test of upgrades brings them to each later version. */
async function keepRows(root: string, { version, writeRows }: Wanted): Promise<void> {
  const folder = path.join(root, 'packages/server/test/releases');
  await mkdir(folder, { recursive: true });
  await writeRows(root, path.join(folder, `${version}.tar.gz`));
}

const tagOf = (version: string) => `v${version}`;

function runGit(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

/** @throws ReleaseRejected */
async function checkRelease(root: string, version: string): Promise<void> {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new ReleaseRejected(`${version} is no version such as 0.2.0`);
  if (runGit(root, 'tag', '--list', tagOf(version)) !== '')
    throw new ReleaseRejected(`the tag ${tagOf(version)} is taken`);
  if (runGit(root, 'status', '--porcelain') !== '')
    throw new ReleaseRejected('there are changes that are not committed');
  const present = await readVersion(root);
  if (compareVersions(version, present) <= 0)
    throw new ReleaseRejected(`${version} is not above ${present}, the version of the packages`);
  await checkChangelog(root);
}

async function readVersion(root: string): Promise<string> {
  const text = await readFile(path.join(root, 'packages/server/package.json'), 'utf8');
  return (JSON.parse(text) as Manifest).version;
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** @throws ReleaseRejected where the change log has nothing new, or does not announce a breaking change. */
async function checkChangelog(root: string): Promise<void> {
  const heading = await readNewestHeading(root);
  if ((await readReleasedHeadings(root)).includes(heading))
    throw new ReleaseRejected(`CHANGELOG.md has no entry above "${heading}", which is released`);
  if (!/^\d{4}-\d{2}-\d{2}\b/.test(heading))
    throw new ReleaseRejected(`the newest entry of CHANGELOG.md, "${heading}", begins with no day`);
  const unlisted = await findUnlisted(root);
  if (unlisted.length > 0)
    throw new ReleaseRejected(
      `CHANGELOG.md does not announce: ${unlisted.map(({ where, what }) => `${where} (${what})`).join('; ')}`,
    );
}

async function readNewestHeading(root: string): Promise<string> {
  const [heading] = entriesOf(await readFile(path.join(root, 'CHANGELOG.md'), 'utf8')).keys();
  return heading!;
}

async function dateChangelog(root: string, { version, day }: Wanted): Promise<void> {
  const heading = await readNewestHeading(root);
  await edit(root, 'CHANGELOG.md', text =>
    text.replace(`## ${heading}\n`, `## ${day}, version ${version}\n`),
  );
}

interface Manifest {
  name?: string;
  version: string;
  [kind: string]: unknown;
}

const packages = ['contract', 'embedded-postgres', 'portal', 'sdk', 'server', 'sync', 'tabular'].map(
  name => `packages/${name}`,
);
const dependencyKinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** Raises the packages and what they need of each other, in their manifests and in the lock file. */
async function raiseVersions(root: string, version: string): Promise<void> {
  const names = new Set<string>();
  for (const folder of packages)
    await editJson(root, `${folder}/package.json`, ({ name }) => void names.add(name!));
  const raise = (manifest: Manifest) => {
    manifest.version = version;
    for (const kind of dependencyKinds)
      for (const name of Object.keys(manifest[kind] ?? {}))
        if (names.has(name)) (manifest[kind] as Record<string, string>)[name] = version;
  };
  for (const folder of packages) await editJson(root, `${folder}/package.json`, raise);
  // The client sends its version.
  await edit(root, 'packages/sdk/src/contract.ts', text =>
    text.replace(/(?<=^export const version = ')[^']+/m, version),
  );
  await editJson(root, 'package-lock.json', lock => {
    const locked = lock['packages'] as Record<string, Manifest>;
    for (const folder of packages) raise(locked[folder]!);
  });
}

/** Adds the version to the table in docs/upgrades.md, the newest first. The row below it is the release before it, in a clone without tags as well. */
async function nameOldestVersion(root: string, version: string): Promise<void> {
  await edit(root, 'docs/upgrades.md', text => {
    const [head, previous] = /^\| Version .*\n\|[ -|]*\n(?=(?:\| (\d\S*) )?)/m.exec(text) ?? [];
    if (head === undefined) throw new Error('docs/upgrades.md has no table of versions');
    const row = `| ${version} | ${previous ?? 'none: it is the first release'} |\n`;
    return text.replace(head, `${head}${row}`);
  });
}

async function raiseImages(root: string, version: string): Promise<void> {
  for (const file of ['kontor', 'migrate', 'kontor-sync'])
    await edit(root, `deploy/kubernetes/${file}.yaml`, text =>
      text.replaceAll(/(?<=image: registry\.example\.com\/kontor(?:-sync)?:)\S+/g, version),
    );
}

async function edit(root: string, file: string, change: (text: string) => string): Promise<void> {
  const name = path.join(root, file);
  await writeFile(name, change(await readFile(name, 'utf8')));
}

async function editJson(root: string, file: string, change: (json: Manifest) => void): Promise<void> {
  await edit(root, file, text => {
    const json = JSON.parse(text) as Manifest;
    change(json);
    return `${JSON.stringify(json, null, 2)}\n`;
  });
}

async function main([version]: readonly string[]): Promise<void> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  try {
    if (version === undefined) throw new ReleaseRejected('say which version: npm run release -- 0.4.0');
    await release(root, { version, day: new Date().toISOString().slice(0, 10), writeRows: writeDemoRows });
    console.log(`Released ${version}: push the commit and the tag ${tagOf(version)}, then npm run pack`);
  } catch (error) {
    if (!(error instanceof ReleaseRejected)) throw error;
    console.error(`Not released: ${error.message}`);
    process.exitCode = 1;
  }
}

if (import.meta.main) await main(process.argv.slice(2));
