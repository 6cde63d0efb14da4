import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { ApiError } from '@kontor/contract';
import fc from 'fast-check';
import { BodyBudget, type BodyMemory } from '../../src/http/limits/body-budget.ts';

const options = { total: 100, share: 50, bodiesOfOwner: 5 };

/** A body that fills its memory up to `limit`. */
class Sender {
  readonly owner: string;
  readonly memory: BodyMemory;
  state: 'receiving' | 'waiting' | 'rejected' = 'receiving';
  held = 0;
  reason: ApiError | undefined;

  constructor(budget: BodyBudget, owner: string) {
    this.owner = owner;
    this.memory = budget.open(owner);
  }

  /** Asks for a buffer of this size; resolves when that is known to be there, or not yet. */
  async grow(size: number): Promise<void> {
    this.state = 'waiting';
    void this.#wait(size);
    await settled();
  }

  async #wait(size: number): Promise<void> {
    try {
      await this.memory.grow(size, reason => this.#end(reason));
      this.state = 'receiving';
      this.held = size;
    } catch (error) {
      this.#end(error as ApiError);
    }
  }

  #end(reason: ApiError): void {
    this.state = 'rejected';
    this.held = 0;
    this.reason = reason;
    this.memory[Symbol.dispose]();
  }

  async close(): Promise<void> {
    this.held = 0;
    this.memory[Symbol.dispose]();
    await settled();
  }
}

const settled = () => new Promise(setImmediate);
const sum = (senders: readonly Sender[]) => senders.reduce((all, { held }) => all + held, 0);

/** A budget with a clock of the test, which the inspections follow. */
function timedBudget(t: TestContext): { budget: BodyBudget; pass: (milliseconds: number) => Promise<void> } {
  let time = 0;
  t.mock.timers.enable({ apis: ['setInterval'] });
  const budget = new BodyBudget({ ...options, now: () => time });
  const pass = async (milliseconds: number) => {
    time += milliseconds;
    t.mock.timers.tick(250);
    await settled();
  };
  return { budget, pass };
}

const limit = 20;
const event = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('open' as const), owner: fc.constantFrom('a', 'b', 'c') }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('grow' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('close' as const), which: fc.nat() }) },
);

test('no owner holds more than its share and one body, all hold no more than the total and one body, and all come to their end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 60 }), async events => {
      const budget = new BodyBudget({ ...options, now: () => 0 });
      let senders: Sender[] = [];
      for (const one of events) {
        if (one.kind === 'open') senders.push(new Sender(budget, one.owner));
        else {
          const able = senders.filter(({ state }) => one.kind === 'close' || state === 'receiving');
          const sender = able[one.which % able.length];
          if (sender && one.kind === 'close') {
            senders = senders.filter(other => other !== sender);
            await sender.close();
          } else if (sender && sender.held < limit) await sender.grow(Math.min(limit, sender.held + 7));
        }
        senders = senders.filter(({ state }) => state !== 'rejected');
        assert.ok(sum(senders) <= options.total + limit);
        for (const owner of ['a', 'b', 'c'])
          assert.ok(sum(senders.filter(sender => sender.owner === owner)) <= options.share + limit);
      }
      // Nobody sends more bodies: each that is there gets all its memory, and is handled.
      for (let rounds = 0; senders.length > 0; rounds++) {
        assert.ok(rounds < 1000, 'some body waits for ever');
        for (const sender of senders)
          if (sender.state === 'receiving' && sender.held < limit)
            await sender.grow(Math.min(limit, sender.held + 7));
        for (const sender of senders) if (sender.held === limit) await sender.close();
        senders = senders.filter(
          ({ state, held }) => state === 'waiting' || (state === 'receiving' && held > 0),
        );
      }
    }),
    { numRuns: 200 },
  );
});

test('memory that is released goes to the owner that has least, and there to its oldest body', async () => {
  const budget = new BodyBudget({ ...options, now: () => 0 });
  const a = [new Sender(budget, 'a'), new Sender(budget, 'a')] as const;
  const b = new Sender(budget, 'b');
  for (const sender of [...a, b]) await sender.grow(25);
  const more = new Sender(budget, 'b');
  await more.grow(25);
  const c = [new Sender(budget, 'c'), new Sender(budget, 'c')] as const;
  await b.grow(26);
  for (const sender of c) await sender.grow(20);
  assert.deepEqual(
    [b, ...c].map(({ state }) => state),
    ['waiting', 'waiting', 'waiting'],
  );
  await more.close();
  assert.deepEqual(
    [b, ...c].map(({ state }) => state),
    ['receiving', 'receiving', 'waiting'],
    'of the 25 bytes the first of c takes 20, and b one',
  );
  for (const sender of [...a, b, ...c]) await sender.close();
});

test('the body beyond the most of an owner is rejected with 503', async () => {
  const budget = new BodyBudget({ ...options, now: () => 0 });
  const senders = Array.from({ length: 6 }, () => new Sender(budget, 'a'));
  for (const sender of senders) await sender.grow(1);
  assert.deepEqual(
    senders.map(({ state }) => state),
    [...Array<string>(5).fill('receiving'), 'rejected'],
  );
  assert.equal(senders[5]!.reason!.code, 'SERVICE_UNAVAILABLE');
  const other = new Sender(budget, 'b');
  await other.grow(1);
  assert.equal(other.state, 'receiving');
});

describe('while a body waits, a sender below 128 KiB a second', () => {
  test('is rejected with 400 after two seconds, and not before', async t => {
    const { budget, pass } = timedBudget(t);
    const [slow, next] = [new Sender(budget, 'a'), new Sender(budget, 'a')];
    await slow.grow(50);
    await next.grow(10);
    await pass(1999);
    assert.deepEqual([slow.state, next.state], ['receiving', 'waiting']);
    await pass(1);
    assert.deepEqual([slow.state, next.state], ['rejected', 'receiving']);
    assert.deepEqual([slow.reason!.status, slow.reason!.code], [400, 'VALIDATION_ERROR']);
  });

  test('is the only one to go: those who keep up, have sent all, or wait themselves stay', async t => {
    const { budget, pass } = timedBudget(t);
    const [fast, complete, slow, waiting] = Array.from({ length: 4 }, () => new Sender(budget, 'a'));
    for (const sender of [fast, complete, slow]) await sender!.grow(15);
    complete!.memory.complete();
    await waiting!.grow(15);
    fast!.memory.received(2 * 128 * 1024);
    await pass(2000);
    assert.deepEqual(
      [fast, complete, slow, waiting].map(sender => sender!.state),
      ['receiving', 'receiving', 'rejected', 'receiving'],
    );
  });

  test('is not rejected for another owner with a free share', async t => {
    const { budget, pass } = timedBudget(t);
    const slow = new Sender(budget, 'a');
    await slow.grow(40);
    const [first, second] = [new Sender(budget, 'b'), new Sender(budget, 'b')];
    await first.grow(40);
    await second.grow(20);
    first.memory.received(2 * 128 * 1024);
    await pass(2000);
    assert.deepEqual(
      [slow, first, second].map(({ state }) => state),
      ['receiving', 'receiving', 'waiting'],
    );
  });

  test('goes first where its owner has most, when the total is used up', async t => {
    const { budget, pass } = timedBudget(t);
    const senders = ['a', 'a', 'b', 'c'].map(owner => new Sender(budget, owner));
    for (const [index, size] of [25, 25, 30, 20].entries()) await senders[index]!.grow(size);
    const next = new Sender(budget, 'd');
    await next.grow(10);
    assert.equal(next.state, 'waiting');
    await pass(2000);
    assert.deepEqual(
      senders.map(({ state }) => state),
      ['rejected', 'receiving', 'receiving', 'receiving'],
    );
    assert.equal(next.state, 'receiving');
  });
});

test('a body that has waited a minute is rejected with 503', async t => {
  const { budget, pass } = timedBudget(t);
  const [steady, next] = [new Sender(budget, 'a'), new Sender(budget, 'a')];
  await steady.grow(50);
  await next.grow(10);
  for (let second = 2; second <= 60; second += 2) {
    assert.equal(next.state, 'waiting');
    steady.memory.received(2 * 128 * 1024);
    await pass(2000);
  }
  assert.deepEqual([steady.state, next.state], ['receiving', 'rejected']);
  assert.equal(next.reason!.code, 'SERVICE_UNAVAILABLE');
});
