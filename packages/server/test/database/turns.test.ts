import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from '../../src/database/turns.ts';
import { WriteTurns } from '../../src/database/write-turns.ts';

/** Asks for turns and notes who got one, in order. */
function asking(take: (key: string) => Promise<() => void>) {
  const order: string[] = [];
  const ask = (key: string, name: string) => {
    const turn = take(key);
    turn.then(
      () => order.push(name),
      () => {},
    );
    return turn;
  };
  return { order, ask };
}

const settled = () => new Promise(resolve => setImmediate(resolve));

test('the turn of a key is passed on in the order of arrival, once by each, and other keys have their own', async () => {
  const turns = new Turns();
  const { order, ask } = asking(key => turns.enter(key));
  const first = ask('a', 'first');
  const second = ask('a', 'second');
  void ask('a', 'third');
  void ask('b', 'other');
  await settled();
  assert.deepEqual(order, ['first', 'other']);
  const pass = await first;
  pass();
  pass();
  await settled();
  assert.deepEqual(order, ['first', 'other', 'second']);
  (await second)();
  await settled();
  assert.equal(order.at(-1), 'third');
});

test('a turn that is had cannot be entered, one that was passed on can', async () => {
  const turns = new Turns();
  const pass = turns.tryEnter('a')!;
  assert.equal(turns.tryEnter('a'), null);
  pass();
  assert.notEqual(turns.tryEnter('a'), null);
});

test('work that fails passes its turn on', async () => {
  const turns = new Turns();
  await assert.rejects(
    turns.take('a', () => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await turns.take('a', async () => 1), 1);
});

test('writes of one organization go one at a time, while others go on', async () => {
  const turns = new WriteTurns();
  const { order, ask } = asking(key => turns.take(key));
  const first = ask('a', 'a1');
  void ask('a', 'a2');
  void ask('b', 'b1');
  await settled();
  assert.deepEqual(order, ['a1', 'b1']);
  assert.equal(turns.tryTake('a'), null);
  (await first)();
  await settled();
  assert.deepEqual(order, ['a1', 'b1', 'a2']);
});

test('an organization that finds no slot free does not keep its turn', async () => {
  const turns = new WriteTurns();
  const taken = new Map<string, () => void>();
  for (let n = 0; ; n++) {
    const pass = turns.tryTake(`o${n}`);
    if (!pass) break;
    taken.set(`o${n}`, pass);
  }
  assert.ok(taken.size >= 2);
  for (const pass of taken.values()) pass();
  const again = turns.tryTake(`o${taken.size}`);
  assert.notEqual(again, null);
});
