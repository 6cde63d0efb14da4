import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { jsonLogger } from '../../src/cli/service/logger.ts';
import { describeSettings } from '../../src/cli/service/serve.ts';
import { settings } from '../../src/config.ts';

/** What the tests write and the logger adds. */
interface Line {
  readonly number: number;
  /** In the line that reports lost ones instead. */
  readonly lost?: number;
}

async function scratch(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-logger-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test('lines are written in their order, the last ones when they are flushed', async t => {
  const file = join(await scratch(t), 'log');
  const descriptor = openSync(file, 'a');
  const { logger, flush } = jsonLogger('info', descriptor);
  for (let number = 0; number < 1000; number++) logger.info({ number }, 'Größe');
  await flush();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.map(line => (JSON.parse(line) as Line).number),
    Array.from({ length: 1000 }, (_, number) => number),
  );
});

test('lines beyond 16 MiB that nothing reads are dropped, and the log reports how many', async t => {
  const sent = 400;
  const module = new URL('../../src/cli/service/logger.ts', import.meta.url).href;
  const script = `
    import { jsonLogger } from '${module}';
    const { logger } = jsonLogger('info');
    for (let number = 0; number < ${sent}; number++) logger.info({ number }, 'x'.repeat(64 * 1024));
    console.log('sent');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill());
  await once(child.stdout, 'data');

  const received: Line[] = [];
  for await (const text of createInterface(child.stderr)) {
    const line = JSON.parse(text) as Line;
    received.push(line);
    if (line.lost !== undefined) break;
  }
  const written = received.length - 1;
  assert.ok(written > 200 && written < sent, `${written} lines were written`);
  assert.deepEqual(
    received.map(({ number, lost }) => number ?? { lost }),
    [...Array.from({ length: written }, (_, number) => number), { lost: sent - written }],
  );
});

test('a level is a word', async t => {
  const file = join(await scratch(t), 'log');
  const { logger, flush } = jsonLogger('info', openSync(file, 'a'));
  logger.warn('careful');
  await flush();
  assert.equal((JSON.parse(readFileSync(file, 'utf8')) as { level: string }).level, 'warn');
});

test('the settings in the log have no secret, and URLs neither credentials nor a query', () => {
  const values = Object.keys(settings).map(name => [
    name,
    name.endsWith('Url') ? 'redis://user:geheim@host/path?password=geheim' : 'geheim',
  ]);
  const described = describeSettings(Object.fromEntries(values));
  assert.equal(described['REDIS_URL'], 'redis://host/path');
  for (const { variable, option } of Object.values<{ variable: string; option?: string }>(settings))
    if (option === undefined) assert.equal(described[variable], '(secret)');
  assert.equal(Object.keys(described).length, Object.keys(settings).length);
  assert.deepEqual(describeSettings({ pepper: null, port: 8080 }), { PORT: 8080 });
});
