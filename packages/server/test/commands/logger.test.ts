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
  let sent = 0;
  const send = () => {
    logger.info({ number: sent++ }, 'x'.repeat(64 * 1024));
    t.mock.timers.tick(10);
  };
  for (let line = 0; line < 400; line++) send();

  const stream = createReadStream(pipe);
  t.after(() => {
    stream.destroy();
    closeSync(descriptor);
  });
  let received = 0;
  let last = -1;
  let lost: number | undefined;
  for await (const text of createInterface(stream)) {
    const line = JSON.parse(text) as Line;
    if (line.lost !== undefined) {
      lost = line.lost;
      assert.equal(lost, last + 1 - received);
      continue;
    }
    received++;
    last = line.number;
    if (lost === undefined) send();
    // What is still under way would be written to a descriptor that is closed.
    else if (last === sent - 1) break;
  }
  assert.ok(received > 200, `${received} lines came`);
  assert.ok(last >= 400, 'the log goes on');
});
