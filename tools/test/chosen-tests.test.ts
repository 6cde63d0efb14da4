import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chooseTests, NoTests, findTestsForChange } from '../chosen-tests.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

describe('the arguments of npm test', () => {
  let root: string;

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'kontor-chosen-'));
    await mkdir(path.join(root, 'test/lists/deep'), { recursive: true });
    await mkdir(path.join(root, 'test/empty'));
    await mkdir(path.join(root, 'packages/a/test'), { recursive: true });
    for (const apart of ['embedded', 'security'])
      await mkdir(path.join(root, 'packages/server/test', apart), { recursive: true });
    for (const file of [
      'packages/a/test/e.test.ts',
      'packages/server/test/f.test.ts',
      'packages/server/test/embedded/g.test.ts',
      'packages/server/test/security/h.test.ts',
      'test/a.test.ts',
      'test/lists/b.test.ts',
      'test/lists/deep/c.test.ts',
      'test/lists/d.ts',
    ])
      await writeFile(path.join(root, file), '');
  });
  after(() => rm(root, { recursive: true }));

  const chosen = async (...args: string[]) => {
    const { options, files } = await chooseTests(args, root);
    return { options, files: files.map(file => path.relative(root, file)) };
  };

  test('choose a file, a folder with what is below it, or a pattern, each file once', async () => {
    const lists = ['test/lists/b.test.ts', 'test/lists/deep/c.test.ts'];
    assert.deepEqual((await chosen('test/a.test.ts')).files, ['test/a.test.ts']);
    assert.deepEqual((await chosen('test/lists')).files, lists);
    assert.deepEqual((await chosen('test/lists/')).files, lists);
    assert.deepEqual((await chosen('test/lists/*')).files, ['test/lists/b.test.ts']);
    assert.deepEqual((await chosen('test/*/**/*.test.ts', 'test/lists', 'test/a.test.ts')).files, [
      ...lists,
      'test/a.test.ts',
    ]);
    assert.deepEqual((await chosen(path.join(root, 'test/lists'))).files, lists);
  });

  test('may hold options, which choose nothing by themselves', async () => {
    assert.deepEqual(await chosen('--test-only', 'test/a.test.ts'), {
      options: ['--test-only'],
      files: ['test/a.test.ts'],
    });
  });

  test('choose those of the packages that have no command of their own when they name no place', async () => {
    const packages = ['packages/a/test/e.test.ts', 'packages/server/test/f.test.ts'];
    assert.deepEqual(await chosen(), { options: [], files: packages });
    assert.deepEqual(await chosen('--test-only'), { options: ['--test-only'], files: packages });
  });

  test('are rejected when one of them has no tests', async () => {
    for (const place of ['test/empty', 'test/nowhere', 'test/lists/d.ts', 'test/x*'])
      await assert.rejects(
        chooseTests(['test/a.test.ts', place], root),
        error => error instanceof NoTests && error.message.includes(place),
      );
  });
});

/** Of a run of tests that has nothing to do with the one that this file is part of. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(NODE_TEST|KONTOR_TEST)_/.test(name)),
);

describe('npm test', () => {
  const run = async (...args: string[]) => {
    const env = { ...environment, KONTOR_TEST_CLOSING_TIME: '1000' };
    const child = spawn(process.execPath, ['tools/test.ts', ...args], { cwd: repository, env });
    const [[status], stdout, stderr] = await Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { status, stdout, stderr };
  };

  test('runs the tests of a folder', async () => {
    const { status, stdout } = await run('packages/server/test/config');
    assert.equal(status, 0, stdout);
    assert.match(stdout, /\n[1-9]\d* passed, 0 failed\n$/);
  });

  test('reports a folder without tests, and fails', async () => {
    const { status, stderr } = await run('packages/server/test/support');
    assert.equal(status, 1);
    assert.match(stderr, /^error: there are no tests in packages\/server\/test\/support: [^\n]+\n$/);
  });

  test('ends a file that leaves something open, which has failed then, even where its `after` fails before', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'kontor-left-open-'));
    const file = path.join(folder, 'planted.test.ts');
    const planted = `
      import { after, test } from 'node:test';
      import { createServer } from 'node:net';
      after(() => { throw new Error('planted'); });
      test('passes', () => {});
      createServer().listen(0);`;
    for (const text of [planted, planted.replace(/after\(.*/, '')]) {
      await writeFile(file, text);
      const { status, stdout } = await run(file);
      assert.equal(status, 1, stdout);
      assert.match(stdout, /planted\.test\.ts has left open 1000 ms after its last test: .*TCPServerWrap/);
      assert.match(stdout, /\n1 passed, 1 failed\n$/);
    }
    await rm(folder, { recursive: true });
  });
});

test('the tests of a change are those of its folders, and of the declarations when the contract changes', () => {
  assert.deepEqual(
    findTestsForChange([
      'packages/server/src/features/divisions/store.ts',
      'packages/server/src/db/sql.ts',
      'packages/portal/test/messages.test.ts',
      'docs/running.md',
    ]),
    [
      'packages/portal/test/messages.test.ts',
      'packages/server/test/db',
      'packages/server/test/features/divisions',
    ],
  );
  const ofContract = findTestsForChange(['packages/contract/src/divisions.ts']);
  for (const place of ['packages/server/test/guards', 'packages/server/test/session'])
    assert.ok(ofContract.includes(place), place);
});
