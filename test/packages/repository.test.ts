import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { blocksOf } from '../../tools/guides.ts';
import { processesNaming } from '../../packages/server/test/cli/kontor.ts';
import { Installation, megabytes, nodeOf } from './installation.ts';

/** Megabytes of a fresh clone after npm ci, its history included, as `du` counts them. */
const sizeMaximum = 700;

const repository = fileURLToPath(new URL('../../', import.meta.url));
const noHistory =
  spawnSync('git', ['rev-parse', 'HEAD'], { cwd: repository }).status !== 0 && 'there is no history';

/** What npm warns of that lies in the project; what it does not know in the settings of the user is not the project's. */
const warnings = (given: string) =>
  given.split('\n').filter(line => /\bwarn\b/i.test(line) && !/Unknown (user|env) config/.test(line));

describe('a fresh clone of the last commit', { skip: noHistory }, () => {
  let folder: string;
  let clone: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kontor-clone-'));
    clone = path.join(folder, 'kontor');
    // By the protocol, and not by links to the files of this one.
    execFileSync('git', ['clone', '--quiet', '--single-branch', pathToFileURL(repository).href, clone]);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test('needs only what the first block of the README lists', async () => {
    const readme = await readFile(path.join(repository, 'README.md'), 'utf8');
    const blocks = blocksOf(readme).filter(block => block.clone);
    assert.deepEqual(
      blocks.map(({ text }) => text),
      ['npm ci && npm run demo\n'],
    );
  });

  // On Node 20 npm warns that the packages need Node 24, which the install brings.
  for (const [major, expected] of [
    [20, /^npm warn EBADENGINE/],
    [24, /^$/],
  ] as const)
    test(`installs on Node ${major}`, async () => {
      const place = new Installation(clone, await nodeOf(major, path.join(folder, `node-${major}`)));
      const { stdout, stderr } = await place.run('npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline');
      assert.deepEqual(
        warnings(`${stdout}\n${stderr}`).filter(line => !expected.test(line)),
        [],
      );
    });

  test(`has less than ${sizeMaximum} MB`, async () => {
    const size = await megabytes(clone);
    assert.ok(size < sizeMaximum, `it has ${Math.round(size)} MB`);
  });

  test('runs the demo by npm run demo, on Node 20 as well', async () => {
    const place = new Installation(clone, await nodeOf(20, path.join(folder, 'node-20')));
    const { announced, stop } = await place.startWith(['npm', 'run', '--silent', 'demo', '--', '--json']);
    try {
      const answer = await fetch(`${announced.baseUrl}/employees?pageSize=1`, {
        headers: { 'X-API-Key': announced.key },
      });
      assert.equal(((await answer.json()) as { totalElements: number }).totalElements, 1000);
    } finally {
      await stop();
    }
    assert.deepEqual(await processesNaming(clone), []);
  });
});
