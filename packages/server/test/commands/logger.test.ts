import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, createReadStream, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { jsonLogger } from '../../src/commands/logger.ts';

/** What the tests write and the logger adds. */
interface Line {
  readonly number: number;
  /** In the line that tells of lost ones instead. */
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
  t.after(() => closeSync(descriptor));
  const { logger, flush } = jsonLogger('info', descriptor);
  for (let number = 0; number < 1000; number++) logger.info({ number }, 'Größe');
  flush();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.map(line => (JSON.parse(line) as Line).number),
    Array.from({ length: 1000 }, (_, number) => number),
  );
});

test('lines that nobody takes are dropped beyond 16 MiB, and the log says how many', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const pipe = join(await scratch(t), 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Open for both directions, so that it opens without a reader.
  const descriptor = openSync(pipe, 'r+');
  const { logger } = jsonLogger('info', descriptor);
  const send = (number: number) => {
    logger.info({ number }, 'x'.repeat(64 * 1024));
    t.mock.timers.tick(10);
  };
  const unread = 400;
  for (let number = 0; number < unread; number++) send(number);

  const stream = createReadStream(pipe);
  t.after(() => {
    stream.destroy();
    closeSync(descriptor);
  });
  const received: Line[] = [];
  for await (const text of createInterface(stream)) {
    const line = JSON.parse(text) as Line;
    received.push(line);
    // There is room again: the first line goes out, and with the next one how many were lost.
    if (received.length === 100) for (const number of [unread, unread + 1]) send(number);
    if (line.number === unread + 1) break;
  }
  const taken = received.filter(({ number }) => number < unread);
  assert.ok(taken.length > 200, `${taken.length} lines were taken`);
  assert.deepEqual(
    received.slice(taken.length).map(({ number, lost }) => number ?? { lost }),
    [unread, { lost: unread - taken.length }, unread + 1],
  );
});
