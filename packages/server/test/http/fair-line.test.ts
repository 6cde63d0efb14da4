import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairLine } from '../../src/http/fair-line.ts';

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
