import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slots } from '../../src/write/slots.ts';

/** Takes a slot and tells when it has it. */
function ask(slots: Slots) {
  const asked = { has: false, slot: slots.take() };
  void asked.slot.then(() => (asked.has = true));
  return asked;
}

const turn = () => new Promise(resolve => setImmediate(resolve));

test('no more work runs at once than there are slots, and the next in line gets the one given back', async () => {
  const slots = new Slots({ count: 2, hold: 60_000 });
  const [first, second, third, fourth] = [ask(slots), ask(slots), ask(slots), ask(slots)];
  await turn();
  assert.deepEqual(
    [first, second, third, fourth].map(asked => asked.has),
    [true, true, false, false],
  );
  const giveBack = await first.slot;
  giveBack();
  giveBack();
  await turn();
  assert.deepEqual([third.has, fourth.has], [true, false]);
  for (const asked of [second, third]) (await asked.slot)();
  (await fourth.slot)();
});

test('work that takes long gives its slot away', async () => {
  const slots = new Slots({ count: 1, hold: 1 });
  await slots.take();
  (await slots.take())();
});
