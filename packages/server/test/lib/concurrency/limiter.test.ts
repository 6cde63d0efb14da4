import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Limiter, type LimiterOptions } from '../../../src/lib/concurrency/limiter.ts';

const never = new AbortController().signal;
const options = {
  running: { inAll: 3, perKey: 2 },
  waiting: { inAll: 6, perKey: 4 },
  tooMany: 'Too much at once; try again later',
};
const tooMany = { code: 'SERVICE_UNAVAILABLE', status: 503, message: options.tooMany };

/** A limiter for one piece of work at a time. */
function single(more: Partial<LimiterOptions> = {}): Limiter {
  return new Limiter({
    ...options,
    running: { inAll: 1, perKey: 1 },
    waiting: { inAll: 20, perKey: 10 },
    ...more,
  });
}

/** A client that asked for a place: it runs when it has one. */
interface Client {
  readonly key: string;
  readonly end: AbortController;
  state: 'waiting' | 'running' | 'left' | 'rejected';
  place?: Disposable;
}

function arrive(limiter: Limiter, key: string): Client {
  const client: Client = { key, end: new AbortController(), state: 'waiting' };
  void enter(limiter, client);
  return client;
}

async function enter(limiter: Limiter, client: Client): Promise<void> {
  try {
    client.place = await limiter.take(client.key, client.end.signal);
    client.state = 'running';
  } catch {
    client.state = client.end.signal.aborted ? 'left' : 'rejected';
  }
}

const settled = () => new Promise(setImmediate);

test('at any time no key has more than its places, no place is idle that may be taken, and nothing that waits is forgotten', async () => {
  const event = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('arrive' as const), key: fc.constantFrom('a', 'b', 'c') }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('finish' as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), which: fc.nat() }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 40 }), async events => {
      const limiter = new Limiter(options);
      const clients: Client[] = [];
      const those = (state: Client['state'], key?: string) =>
        clients.filter(client => client.state === state && (key === undefined || client.key === key));
      for (const one of events) {
        if (one.kind === 'arrive') clients.push(arrive(limiter, one.key));
        else {
          const among = those(one.kind === 'finish' ? 'running' : 'waiting');
          const client = among[one.which % among.length];
          if (!client) continue;
          if (one.kind === 'leave') client.end.abort(new Error('left'));
          else {
            client.state = 'left';
            client.place![Symbol.dispose]();
          }
        }
        await settled();
        assert.deepEqual(limiter.state, {
          running: those('running').length,
          waiting: those('waiting').length,
        });
        assert.ok(those('running').length <= options.running.inAll);
        for (const key of ['a', 'b', 'c']) {
          assert.ok(those('running', key).length <= options.running.perKey);
          assert.ok(those('waiting', key).length <= options.waiting.perKey);
          const mayEnter =
            those('running').length < options.running.inAll &&
            those('running', key).length < options.running.perKey;
          assert.ok(!mayEnter || those('waiting', key).length === 0);
        }
      }
    }),
  );
});

test('the keys alternate, and the work of a key starts in the order of arrival', async () => {
  const limiter = single();
  const first = await limiter.take('a', never);
  const order: string[] = [];
  async function come(name: string): Promise<void> {
    using _place = await limiter.take(name[0]!, never);
    order.push(name);
  }
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void come(name);
  first[Symbol.dispose]();
  await settled();
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('one too many is rejected at once with 503', async () => {
  const limiter = single({ waiting: { inAll: 2, perKey: 1 } });
  await limiter.take('a', never);
  void limiter.take('a', never);
  await assert.rejects(limiter.take('a', never), tooMany);
  void limiter.take('b', never);
  await assert.rejects(limiter.take('c', never), tooMany);
});

const limits = {
  running: { inAll: 2, perKey: 2 },
  waiting: { inAll: 100, perKey: 3 },
  tooMany: options.tooMany,
};

/** Work that ends when the test ends it. */
function heldWork() {
  const began: string[] = [];
  const finishes: (() => void)[] = [];
  const work = (name: string) => () => {
    began.push(name);
    return new Promise<void>(resolve => finishes.push(resolve));
  };
  return { began, work, endNext: () => (finishes.shift()!(), settled()) };
}

test('a client with much work delays itself, and another one is next', async () => {
  const limiter = new Limiter(limits);
  const { began, work, endNext } = heldWork();
  for (let n = 1; n <= 5; n++) void limiter.run('busy', work(`busy ${n}`));
  void limiter.run('other', work('other'));
  await settled();
  assert.deepEqual(began, ['busy 1', 'busy 2']);
  await endNext();
  await endNext();
  assert.deepEqual(began, ['busy 1', 'busy 2', 'busy 3', 'other']);
  assert.deepEqual(limiter.state, { running: 2, waiting: 2 });
});

test('a client of which too much waits is rejected, and no other', async () => {
  const limiter = new Limiter(limits);
  const { began, work, endNext } = heldWork();
  for (let n = 1; n <= 5; n++) void limiter.run('busy', work(`busy ${n}`));
  await assert.rejects(limiter.run('busy', work('never')), tooMany);
  const other = limiter.run('other', work('other'));
  for (let n = 0; n < 6; n++) await endNext();
  await other;
  assert.ok(!began.includes('never'));
});

test('work that waits too long is rejected and never begins, and one that runs is left alone', async () => {
  const limiter = new Limiter({ ...limits, maxWait: { milliseconds: 20, message: 'Too late' } });
  const { began, work, endNext } = heldWork();
  const running = [1, 2].map(n => limiter.run('client', work(`${n}`)));
  await assert.rejects(limiter.run('client', work('never')), { ...tooMany, message: 'Too late' });
  await endNext();
  await endNext();
  await Promise.all(running);
  assert.deepEqual(began, ['1', '2']);
  assert.deepEqual(limiter.state, { running: 0, waiting: 0 });
});

test('the error of the work is passed on, and the place is free again', async () => {
  const limiter = new Limiter(limits);
  for (let n = 0; n < 3; n++)
    await assert.rejects(
      limiter.run('client', () => Promise.reject(new Error('broken'))),
      /broken/,
    );
  assert.deepEqual(limiter.state, { running: 0, waiting: 0 });
});

test('work that holds its place too long gives it away once, although it goes on', async () => {
  const limiter = single({ maxHold: 1 });
  const first = await limiter.take('a', never);
  const second = await limiter.take('b', never);
  first[Symbol.dispose]();
  assert.equal(limiter.tryTake('c'), null, 'the second one still has its place');
  second[Symbol.dispose]();
  limiter.tryTake('c')![Symbol.dispose]();
  assert.deepEqual(limiter.state, { running: 0, waiting: 0 });
});
