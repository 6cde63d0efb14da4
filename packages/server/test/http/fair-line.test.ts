import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairLine } from '../../src/http/limits/fair-queue.ts';

const never = new AbortController().signal;
const dear = { after: 100, penance: 1000 };
const options = { places: 3, placesOfKey: 2, waitingOfKey: 4, waiting: 6, dear };

/** Someone who asked for a place: at work when he has it. */
interface Client {
  readonly key: string;
  readonly end: AbortController;
  state: 'waiting' | 'at work' | 'left' | 'refused';
  place?: Disposable;
}

function arrive(line: FairLine, key: string): Client {
  const client: Client = { key, end: new AbortController(), state: 'waiting' };
  void enter(line, client);
  return client;
}

async function enter(line: FairLine, client: Client): Promise<void> {
  try {
    client.place = await line.take(client.key, client.end.signal);
    client.state = 'at work';
  } catch {
    client.state = client.end.signal.aborted ? 'left' : 'refused';
  }
}

const settled = () => new Promise(setImmediate);

test('at any time no key has more than its part, no place is idle that may be taken, and nobody is forgotten', async () => {
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
      const line = new FairLine(options);
      const clients: Client[] = [];
      const those = (state: Client['state'], key?: string) =>
        clients.filter(client => client.state === state && (key === undefined || client.key === key));
      for (const one of events) {
        if (one.kind === 'arrive') clients.push(arrive(line, one.key));
        else {
          const among = those(one.kind === 'finish' ? 'at work' : 'waiting');
          const client = among[one.which % among.length];
          if (!client) continue;
          if (one.kind === 'leave') client.end.abort(new Error('left'));
          else {
            client.state = 'left';
            client.place![Symbol.dispose]();
          }
        }
        await settled();
        assert.deepEqual(line.state, { atWork: those('at work').length, waiting: those('waiting').length });
        assert.ok(those('at work').length <= options.places);
        for (const key of ['a', 'b', 'c']) {
          assert.ok(those('at work', key).length <= options.placesOfKey);
          assert.ok(those('waiting', key).length <= options.waitingOfKey);
          const mayEnter =
            those('at work').length < options.places && those('at work', key).length < options.placesOfKey;
          assert.ok(!mayEnter || those('waiting', key).length === 0);
        }
      }
    }),
  );
});

test('who waits comes in turn, one of each key, and of a key in the order of arrival', async () => {
  const line = new FairLine({ places: 1, placesOfKey: 1, waitingOfKey: 10, waiting: 20, dear });
  const first = await line.take('a', never);
  const order: string[] = [];
  async function come(name: string): Promise<void> {
    using _place = await line.take(name[0]!, never);
    order.push(name);
  }
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void come(name);
  first[Symbol.dispose]();
  await settled();
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('one too many is refused at once with 503', async () => {
  const line = new FairLine({ places: 1, placesOfKey: 1, waitingOfKey: 1, waiting: 2, dear });
  await line.take('a', never);
  void line.take('a', never);
  await assert.rejects(line.take('a', never), { code: 'SERVICE_UNAVAILABLE', status: 503 });
  void line.take('b', never);
  await assert.rejects(line.take('c', never), { code: 'SERVICE_UNAVAILABLE' });
});

test('a key whose work was dear has one place for a while, and no place stays idle behind that', async () => {
  let time = 0;
  const line = new FairLine({ ...options, waitingOfKey: 10, waiting: 20, now: () => time });
  const clients = ['a', 'a', 'a', 'a', 'a', 'a'].map(key => arrive(line, key));
  await settled();
  const atWork = () => clients.filter(client => client.state === 'at work');
  const finish = async (after: number) => {
    time += after;
    const [client] = atWork();
    client!.state = 'left';
    client!.place![Symbol.dispose]();
    await settled();
  };
  assert.equal(atWork().length, 2);
  await finish(dear.after);
  assert.equal(atWork().length, 2, 'what takes just as long is not dear');
  await finish(1);
  assert.equal(atWork().length, 1, 'the first was dear: the other one goes on alone');
  await finish(dear.after);
  assert.equal(atWork().length, 1);
  await finish(dear.penance);
  assert.equal(atWork().length, 1, 'the next one was dear again');
  time += dear.penance;
  clients.push(arrive(line, 'a'));
  await settled();
  assert.equal(atWork().length, 2, 'the while is over');
});

test('of a key the oldest request comes first, whenever it asks for a place', async () => {
  const line = new FairLine({ places: 1, placesOfKey: 1, waitingOfKey: 10, waiting: 20, now: () => 0 });
  const first = await line.take('a', never, 1);
  const order: number[] = [];
  async function come(since: number): Promise<void> {
    using _place = await line.take('a', never, since);
    order.push(since);
  }
  for (const since of [3, 2, 4, 1]) void come(since);
  first[Symbol.dispose]();
  await settled();
  assert.deepEqual(order, [1, 2, 3, 4]);
});

test('what waits behind so much dear work that its time would be over is refused at once, with the seconds to wait', async () => {
  let time = 0;
  const timeout = 10_000;
  const line = new FairLine({
    places: 3,
    placesOfKey: 3,
    waitingOfKey: 100,
    waiting: 100,
    dear: { after: 1000, penance: 10_000, timeout },
    now: () => time,
  });
  const heavy = Array.from({ length: 20 }, () => arrive(line, 'a'));
  const others = Array.from({ length: 5 }, () => arrive(line, 'b'));
  await settled();
  const those = (state: Client['state']) => heavy.filter(client => client.state === state);
  const finish = async (client: Client) => {
    client.state = 'left';
    client.place![Symbol.dispose]();
    await settled();
  };
  time = 2000;
  await finish(heavy[0]!);
  assert.equal(those('refused').length, 0, 'a single dear one refuses nobody');
  await finish(heavy[1]!);
  // Of the 8 s that are left, one takes 2 s and one is still at work.
  assert.deepEqual([those('at work').length, those('waiting').length, those('refused').length], [1, 3, 14]);
  assert.deepEqual(heavy.map(({ state }) => state).slice(0, 6), [
    'left',
    'left',
    'at work',
    'waiting',
    'waiting',
    'waiting',
  ]);
  await assert.rejects(line.take('a', never, 0), { status: 503, retryAfter: 10 });
  assert.equal(others.filter(({ state }) => state === 'refused').length, 0);
  time = 4000;
  await finish(heavy[2]!);
  assert.equal(heavy[3]!.state, 'at work');
  time = 10_000;
  await finish(heavy[3]!);
  assert.equal(those('refused').length, 16, 'what has no time left takes no place');
});
