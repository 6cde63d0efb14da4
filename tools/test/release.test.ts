import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { OpenApiDocument } from '@kontor/contract';
import { entriesOf, findUnlisted } from '../contract-diff.ts';
import { documentFiles, publishedApis, releasedFiles } from '../documents.ts';
import { release, ReleaseRejected } from '../release.ts';
import { renderReleased } from '../released-contract.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const day = '2031-05-07';
let folder: string;
let clone: string;

const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim();
const read = (file: string) => readFile(path.join(clone, file), 'utf8');
const write = (file: string, text: string) => writeFile(path.join(clone, file), text);
const json = async (file: string) => JSON.parse(await read(file)) as Record<string, any>;

/** Commits a change of a file. */
async function commit(file: string, change: (text: string) => string): Promise<void> {
  await write(file, change(await read(file)));
  git('commit', '--quiet', '--all', '--message', 'Change');
}

/** The clone has no packages to run a demo with. */
const writeRows = (_root: string, archive: string) => writeFile(archive, '');

const addEntry = (heading: string) => (text: string) =>
  text.replace('\n## ', `\n## ${heading}\n\n- More.\n\n## `);

/** Tries a release that must be rejected; nothing may have changed then. */
async function rejected(version: string): Promise<string> {
  const head = git('rev-parse', 'HEAD');
  const state = git('status', '--porcelain');
  const error: unknown = await release(clone, { version, day, writeRows }).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ReleaseRejected, String(error));
  assert.deepEqual([git('rev-parse', 'HEAD'), git('status', '--porcelain')], [head, state]);
  return error.message;
}

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-release-'));
  clone = path.join(folder, 'kontor');
  execFileSync('git', ['clone', '--quiet', '--no-tags', pathToFileURL(repository).href, clone]);
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.com');
});
after(() => rm(folder, { recursive: true, force: true }));

describe('a release', () => {
  test('is rejected for what is no version, or is none above that of the packages', async () => {
    assert.match(await rejected('next'), /no version/);
    assert.match(await rejected('0.0.9'), /not above/);
    assert.match(await rejected('0.1.0'), /not above/);
  });

  test('is rejected while a file is not committed', async () => {
    await write('left.txt', '');
    assert.match(await rejected('90.0.0'), /not committed/);
    await rm(path.join(clone, 'left.txt'));
  });

  test('raises all packages and images, dates the change log, keeps the contracts, and has a tag', async () => {
    await commit('CHANGELOG.md', addEntry('2031-05-06'));
    await release(clone, { version: '90.0.0', day, writeRows });
    assert.equal(git('status', '--porcelain'), '');
    assert.equal(git('rev-parse', 'v90.0.0^{commit}'), git('rev-parse', 'HEAD'));
    const { packages } = await json('package-lock.json');
    for (const name of ['contract', 'embedded-postgres', 'portal', 'sdk', 'server', 'sync', 'tabular']) {
      assert.equal((await json(`packages/${name}/package.json`)).version, '90.0.0');
      assert.equal(packages[`packages/${name}`].version, '90.0.0');
    }
    for (const manifest of [await json('packages/server/package.json'), packages['packages/server']])
      assert.deepEqual(
        [manifest.dependencies['@kontor/contract'], manifest.peerDependencies['@kontor/embedded-postgres']],
        ['90.0.0', '90.0.0'],
      );
    for (const manifest of ['kontor', 'migrate', 'kontor-sync'])
      assert.match(await read(`deploy/kubernetes/${manifest}.yaml`), /\/kontor(-sync)?:90\.0\.0\n/);
    const headings = [...entriesOf(await read('CHANGELOG.md')).keys()];
    assert.equal(headings[0], `${day}, version 90.0.0`);
    assert.ok(!headings.includes('2031-05-06'));
    for (const name of publishedApis) {
      const document = (await json(documentFiles[name])) as OpenApiDocument;
      const released = { ...document, info: { ...document.info, 'x-changelog': headings } };
      assert.equal(await read(releasedFiles[name]), renderReleased(released));
    }
  });

  test('leaves files as prettier and npm write them', async () => {
    const prettier = fileURLToPath(import.meta.resolve('prettier/bin/prettier.cjs'));
    const changed = git('diff', '--name-only', 'HEAD^').split('\n');
    execFileSync(
      process.execPath,
      [prettier, '--check', '--ignore-unknown', '--log-level', 'warn', ...changed],
      { cwd: clone },
    );
  });

  test('is rejected when its tag is taken, or when the change log has nothing new', async () => {
    assert.match(await rejected('90.0.0'), /tag v90\.0\.0 is taken/);
    assert.match(await rejected('90.1.0'), /no entry above "2031-05-07, version 90\.0\.0"/);
  });

  test('is rejected for a breaking change that the change log does not name', async () => {
    await commit('openapi/public.json', text => {
      const document = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> };
      delete document.paths['/employees/{id}']!['patch'];
      return JSON.stringify(document);
    });
    await commit('CHANGELOG.md', addEntry('2031-05-07'));
    assert.match(await rejected('90.1.0'), /does not announce: PATCH \/employees\/\{id\}/);
    await commit('CHANGELOG.md', text =>
      text.replace('- More.', '- **Breaking**: no `PATCH /employees/{id}`.'),
    );
    await release(clone, { version: '90.1.0', day, writeRows });
    assert.deepEqual(await findUnlisted(clone), []);
  });

  test('names the oldest version that can run beside it: the release before', async () => {
    const rows = (await read('docs/upgrades.md')).matchAll(/^\| (\d\S*) \| (.*) \|$/gm);
    const [newest, second, third] = [...rows].map(([, version, oldest]) => [version, oldest]);
    assert.deepEqual(
      [newest, second],
      [
        ['90.1.0', '90.0.0'],
        ['90.0.0', third![0]],
      ],
    );
  });
});
