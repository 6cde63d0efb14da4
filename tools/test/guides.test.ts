import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Block, blocksOf, forgottenBlocks, scriptOf } from '../guides.ts';
import { startDemo } from '../guide-demo.ts';

const run = promisify(execFile);
const timeout = 300_000;
const root = fileURLToPath(new URL('../../', import.meta.url));
const program = fileURLToPath(new URL('../../packages/server/bin/kontor.js', import.meta.url));
const noCurl = spawnSync('curl', ['--version']).status !== 0 && 'there is no curl';

/** What is read by those who use Kontor. */
const guides = [
  'README',
  'docs/first-hour',
  'docs/polling',
  'docs/sdk',
  'docs/writing',
  'docs/first-customer',
  'docs/importing',
  'docs/payroll-api',
  'docs/platform',
  'docs/portal',
  'docs/sign-in',
  'docs/running',
  'docs/backup',
  'docs/personal-data',
  'docs/verifying',
  'docs/upgrades',
  'docs/day-two',
  'docs/scaling',
  'packages/server/README',
].map(name => `${name}.md`);

const read = (file: string) => readFile(path.join(root, file), 'utf8');

describe('every command and sample of the guides is run or used, or has a reason why not', () => {
  for (const guide of guides)
    test(guide, { timeout, skip: noCurl }, async () => {
      const blocks = blocksOf(await read(guide));
      assert.deepEqual(forgottenBlocks(blocks), []);
      const folder = await mkdtemp(path.join(tmpdir(), 'kontor-guide-'));
      try {
        await follow(blocks, folder);
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      }
    });
});

describe('every sample in TypeScript compiles strictly', () => {
  for (const guide of guides)
    test(guide, { timeout }, async t => {
      const samples = blocksOf(await read(guide)).filter(({ language }) => language === 'ts');
      if (samples.length === 0) return t.skip('it has none');
      // Here the packages of the repository are found.
      const folder = await mkdtemp(path.join(root, 'node_modules/.samples-'));
      t.after(() => rm(folder, { recursive: true, force: true }));
      await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
      for (const [index, { file, text }] of samples.entries())
        await writeFile(path.join(folder, file ?? `sample-${index}.ts`), text);
      for (const compilerOptions of [
        { module: 'nodenext' },
        { module: 'esnext', moduleResolution: 'bundler' },
      ]) {
        const own = { strict: true, target: 'es2024', noEmit: true, types: ['node'] };
        // The SDK itself is compiled from its sources here.
        const more = { allowImportingTsExtensions: true, skipLibCheck: true, noUncheckedIndexedAccess: true };
        const config = { compilerOptions: { ...own, ...more, ...compilerOptions }, include: ['*.ts'] };
        await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
        const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
        const checked = await run(process.execPath, [tsc, '--project', folder]).catch(
          (error: { stdout: string }) => error,
        );
        assert.equal(checked.stdout, '');
      }
    });
});

test('no sample of a guide is JavaScript, which nothing would compile', async () => {
  for (const guide of guides)
    assert.deepEqual(
      blocksOf(await read(guide)).filter(({ language }) => /^(js|javascript|mjs)$/.test(language)),
      [],
      guide,
    );
});

/** Does what a reader does: starts what is to run in the background, and then types the rest, in one shell. */
async function follow(blocks: readonly Block[], folder: string): Promise<void> {
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  // As npm would install it.
  await mkdir(path.join(folder, 'node_modules/@kontor'), { recursive: true });
  await symlink(path.join(root, 'packages/sdk'), path.join(folder, 'node_modules/@kontor/sdk'));
  const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${program}' "$@"\n`;
  await writeFile(path.join(bin, 'npx'), npx, { mode: 0o755 });
  const { HOME = '', TMPDIR = '/tmp', PATH = '' } = process.env;
  const env: Record<string, string> = {
    HOME,
    TMPDIR,
    PATH: `${bin}:${path.dirname(process.execPath)}:${PATH}`,
  };
  const background = blocks.find(block => block.background);
  assert.ok(!background || background.text === 'npx kontor demo\n', 'the demo is what can be started so');
  const demo = background ? await startDemo(folder, env) : null;
  try {
    const here = (text: string) => (demo ? demo.here(text) : text);
    for (const { file, text } of blocks)
      if (file !== null) await writeFile(path.join(folder, file), here(text));
    const variables = { ...env, KONTOR_API_KEY: demo?.key ?? '' };
    await run('bash', ['-c', here(scriptOf(blocks))], { cwd: folder, env: variables });
  } finally {
    await demo?.stop();
  }
}

test('a block that is neither run nor used is found, and one that fails is, too', async () => {
  assert.deepEqual(forgottenBlocks(blocksOf('# A\n\n```sh\nls\n```\n\n```sh unrun="why not"\nls\n```\n')), [
    'line 3: sh',
  ]);
  const script = (info: string) => scriptOf(blocksOf(`\`\`\`sh run${info}\nfalse\n\`\`\`\n`));
  await assert.rejects(run('bash', ['-c', script('')]));
  await run('bash', ['-c', script(' exit=1')]);
});
