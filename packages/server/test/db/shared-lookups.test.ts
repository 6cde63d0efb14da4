import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SharedLookups } from '../../src/db/find-in-scope.ts';

/** A statement that was sent: with what, after how many lookups had been asked for, and how it is answered. */
interface Sent {
  readonly ids: readonly string[];
  readonly answer: (rows: ReadonlyMap<string, string>) => void;
  readonly fail: (error: Error) => void;
}

function table() {
  const sent: Sent[] = [];
  const lookups = new SharedLookups(ids => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>();
    sent.push({ ids, answer: resolve, fail: reject });
    return promise;
  });
  return { sent, lookups };
}

/** Lets everything run that waits for nothing. */
const settled = () => new Promise(resolve => setImmediate(resolve));

function checkFound(id: string, found: string | null, since: number): void {
  if (id === 'e') return assert.equal(found, null);
  const [row, at] = found!.split(' ');
  assert.equal(row, id);
  assert.ok(Number(at) >= since, `${found} since ${since}`);
}

const one = fc.constantFrom('a', 'b', 'c', 'd', 'e');
/** A lookup, or the answer to the first, second … statement under way; `failed` when it fails. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ find: one }) },
  { weight: 1, arbitrary: fc.record({ reply: fc.nat({ max: 1 }), failed: fc.boolean() }) },
);

test('each lookup gets what a statement found that was sent after it was asked for, or the error of that statement', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
      const { sent, lookups } = table();
      // Rows change all the time: what a statement finds names the moment at which it was sent.
      const underWay: { sent: Sent; at: number }[] = [];
      let [clock, taken] = [0, 0];
      const note = () => {
        for (; taken < sent.length; taken++) underWay.push({ sent: sent[taken]!, at: clock });
      };
      const reply = async (index: number, failed: boolean) => {
        const [chosen] = underWay.splice(index, 1);
        if (!chosen) return;
        if (failed) chosen.sent.fail(new Error(String(chosen.at)));
        // There is never a row `e`.
        else
          chosen.sent.answer(
            new Map(chosen.sent.ids.filter(id => id !== 'e').map(id => [id, `${id} ${chosen.at}`])),
          );
        await settled();
        note();
      };
      const asked: Promise<void>[] = [];
      for (const next of steps) {
        clock++;
        if ('reply' in next) {
          await reply(next.reply, next.failed);
          continue;
        }
        const [id, since] = [next.find, clock];
        asked.push(
          lookups.find(id).then(
            found => checkFound(id, found, since),
            (error: Error) => {
              assert.ok(Number(error.message) >= since);
            },
          ),
        );
        note();
        assert.ok(underWay.length <= 2);
      }
      while (underWay.length > 0) await reply(0, false);
      await Promise.all(asked);
      for (const { ids } of sent) assert.equal(new Set(ids).size, ids.length);
    }),
  ));

test('a lookup that nobody is before is sent at once, and those that wait go together, fifty at most', async () => {
  const { sent, lookups } = table();
  const finds = Array.from({ length: 103 }, (_, n) => lookups.find(String(n)));
  assert.deepEqual(
    sent.map(({ ids }) => ids.length),
    [1, 1],
  );
  for (let n = 0; n < sent.length; n++) {
    sent[n]!.answer(new Map(sent[n]!.ids.map(id => [id, `row ${id}`])));
    await settled();
  }
  assert.deepEqual(
    sent.map(({ ids }) => ids.length),
    [1, 1, 50, 50, 1],
  );
  assert.deepEqual(
    await Promise.all(finds),
    finds.map((_, n) => `row ${n}`),
  );
});
