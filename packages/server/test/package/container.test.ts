import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { pack } from './installation.ts';

const run = promisify(execFile);
const file = fileURLToPath(new URL('../../../../deploy/Containerfile', import.meta.url));

/** What the lines of the file with this word say. */
const said = (text: string, word: string) =>
  [...text.matchAll(new RegExp(`^${word} (.*)$`, 'gm'))].map(([, rest]) => rest!);

/** Other users of the machine must be able to enter what the image has at /opt/kontor. */
const open = 0o755;

describe('deploy/Containerfile, done step by step without a container', () => {
  let text: string;
  let folder: string;
  let testing: TestDatabase;

  before(async () => {
    text = await readFile(file, 'utf8');
    folder = await mkdtemp(path.join(tmpdir(), 'kontor-image-'));
    await chmod(folder, open);
    testing = await testDatabase();
    const { contract, kontor } = await pack();
    for (const packed of [contract, kontor]) await copyFile(packed, path.join(folder, path.basename(packed)));
  });
  after(async () => {
    await testing.drop();
    await rm(folder, { recursive: true, force: true });
  });

  test('installs the packages that it copies', async () => {
    const [install] = said(text, 'RUN');
    await run('sh', ['-c', install!], { cwd: folder });
    await run(path.join(folder, 'node_modules/.bin/kontor'), ['--version']);
  });

  test('serves as its user and becomes healthy, writing nothing', async () => {
    const [user] = said(text, 'USER');
    const [uid, gid] = user!.split(':').map(Number);
    const inImage = (given: string) =>
      (JSON.parse(given) as string[]).map(word => word.replace('/opt/kontor', folder));
    const [program, ...args] = [...said(text, 'ENTRYPOINT'), ...said(text, 'CMD')].flatMap(inImage);
    const variables = Object.fromEntries(
      said(text, 'ENV').flatMap(line => line.split(' ').map(pair => pair.split('='))),
    );
    const env = {
      ...variables,
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
      PORT: '0',
      MANAGEMENT_PORT: '0',
      KONTOR_DRAIN: '0',
      DATABASE_URL: testing.url,
      KONTOR_KEY_PEPPER: 'x'.repeat(32),
    };
    const as = process.getuid?.() === 0 ? { uid: uid!, gid: gid! } : {};
    const child = spawn(program!, [...args, '--json'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      ...as,
    });
    const ended = once(child, 'close');
    try {
      const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
      const { managementUrl } = JSON.parse(line) as { managementUrl: string };
      const [check] = said(text, 'HEALTHCHECK CMD');
      const [node, ...rest] = inImage(check!.replace('8081', new URL(managementUrl).port));
      await run(node!, rest, { env });
    } finally {
      child.kill('SIGTERM');
      const [status] = (await ended) as [number | null];
      assert.equal(status, 0);
    }
  });
});
