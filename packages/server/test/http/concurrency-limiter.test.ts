import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConcurrencyLimiter } from '../../src/http/limits/concurrency-limiter.ts';

const limits = {
  running: { inAll: 2, perClient: 2 },
  waiting: { inAll: 100, perClient: 3 },
  maxWait: 60_000,
  message: 'Too much at once; try again later',
};
const tooMuch = { code: 'SERVICE_UNAVAILABLE', message: limits.message };

/** Work that ends when the test says so. */
function heldWork() {
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    began.push(name);
    return new Promise<void>(resolve => ends.push(resolve));
  };
  const settled = () => new Promise(setImmediate);
  return { began, work, settled, endNext: () => (ends.shift()!(), settled()) };
}

test('a client with much work delays itself, and another one is next', async () => {
  const limiter = new ConcurrencyLimiter(limits);
  const { began, work, settled, endNext } = heldWork();
  for (let n = 1; n <= 5; n++) void limiter.run('busy', work(`busy ${n}`));
  void limiter.run('other', work('other'));
  await settled();
  assert.deepEqual(began, ['busy 1', 'busy 2']);
  await endNext();
  await endNext();
  assert.deepEqual(began, ['busy 1', 'busy 2', 'busy 3', 'other']);
  assert.deepEqual(limiter.state, { atWork: 2, waiting: 2 });
});

test('a client of which too much waits is rejected, and no other', async () => {
  const limiter = new ConcurrencyLimiter(limits);
  const { began, work, endNext } = heldWork();
  for (let n = 1; n <= 5; n++) void limiter.run('busy', work(`busy ${n}`));
  await assert.rejects(limiter.run('busy', work('never')), tooMuch);
  const other = limiter.run('other', work('other'));
  for (let n = 0; n < 6; n++) await endNext();
  await other;
  assert.ok(!began.includes('never'));
});

test('work that waits too long is rejected and never begins, and one that runs is left alone', async () => {
  const limiter = new ConcurrencyLimiter({ ...limits, maxWait: 20 });
  const { began, work, endNext } = heldWork();
  const running = [1, 2].map(n => limiter.run('client', work(`${n}`)));
  await assert.rejects(limiter.run('client', work('never')), tooMuch);
  await endNext();
  await endNext();
  await Promise.all(running);
  assert.deepEqual(began, ['1', '2']);
  assert.deepEqual(limiter.state, { atWork: 0, waiting: 0 });
});

test('the error of the work is passed on, and the place is free again', async () => {
  const limiter = new ConcurrencyLimiter(limits);
  for (let n = 0; n < 3; n++)
    await assert.rejects(
      limiter.run('client', () => Promise.reject(new Error('broken'))),
      /broken/,
    );
  assert.deepEqual(limiter.state, { atWork: 0, waiting: 0 });
});
