import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { ApiError } from '@kontor/contract';
import fc from 'fast-check';
import { BatchQueue } from '../../../src/lib/concurrency/batch-queue.ts';

class Rejected extends Error {}
class Lost extends Error {}

interface Batch {
  readonly organization: string;
  readonly inputs: string[];
  readonly timeout: number;
  readonly end: PromiseWithResolvers<void>;
}

/**
 * A queue with batches that wait until the test ends them, by a clock that the test moves. An input is written in capitals; the
 * database rejects a `bad` one, and the outcome of a `lost` one is unknown. Its target is what stands before a colon.
 */
function heldQueue() {
  const batches: Batch[] = [];
  const clock = { now: 0 };
  const queue = new BatchQueue<string, string>({
    async process(organization, inputs, timeout) {
      const end = Promise.withResolvers<void>();
      batches.push({ organization, inputs, timeout, end });
      await end.promise;
      if (inputs.some(input => input.includes('bad'))) throw new Rejected();
      if (inputs.some(input => input.includes('lost'))) throw new Lost();
      return inputs.map(input => input.toUpperCase());
    },
    targets: input => (input.includes(':') ? [input.split(':')[0]!] : []),
    isUndone: error => error instanceof Rejected,
    timeout: 5000,
    tooLate: 'too late',
    now: () => clock.now,
  });
  /** Ends all batches, also those still to come, and answers what became of the submitted. */
  const settle = async (submitted: Promise<unknown>[]) => {
    const ending = setInterval(() => batches.forEach(batch => batch.end.resolve()), 0);
    const results = await Promise.allSettled(submitted);
    clearInterval(ending);
    return results.map(result => (result.status === 'fulfilled' ? result.value : result.reason));
  };
  const inputs = () => batches.map(batch => batch.inputs);
  return { queue, batches, inputs, clock, settle };
}

/** Lets what is due happen: replies are passed on, and the next batches begin. */
async function settled(): Promise<void> {
  for (let n = 0; n < 20; n++) await Promise.resolve();
}

describe('a batch queue', () => {
  test('writes the inputs of a running write as one batch, in order, and answers each its own', async () => {
    const { queue, inputs, settle } = heldQueue();
    const submitted = ['a', 'b', 'c', 'd'].map(input => queue.submit('o', input));
    assert.deepEqual(inputs(), [['a']]);
    assert.deepEqual(await settle(submitted), ['A', 'B', 'C', 'D']);
    assert.deepEqual(inputs(), [['a'], ['b', 'c', 'd']]);
  });

  test('writes at most 100 together', async () => {
    const { queue, inputs, settle } = heldQueue();
    await settle(Array.from({ length: 251 }, (_, n) => queue.submit('o', `i${n}`)));
    assert.deepEqual(
      inputs().map(each => each.length),
      [1, 100, 100, 50],
    );
  });

  test('writes two of one target one after the other, and none behind them before', async () => {
    const { queue, inputs, settle } = heldQueue();
    await settle(['x', 'e:1', 'f:1', 'e:2', 'g:1', 'f:2'].map(input => queue.submit('o', input)));
    assert.deepEqual(inputs(), [['x'], ['e:1', 'f:1'], ['e:2', 'g:1', 'f:2']]);
  });

  test('a rejected input does not take the others of its batch with it', async () => {
    const { queue, inputs, settle } = heldQueue();
    const [first, a, bad, b] = await settle(['x', 'a', 'bad', 'b'].map(input => queue.submit('o', input)));
    assert.deepEqual([first, a, b], ['X', 'A', 'B']);
    assert.ok(bad instanceof Rejected);
    assert.deepEqual(inputs(), [['x'], ['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
  });

  test('a batch that ended without an answer is not written again', async () => {
    const { queue, inputs, settle } = heldQueue();
    const [x, a, lost] = await settle(['x', 'a', 'lost'].map(input => queue.submit('o', input)));
    assert.deepEqual([x, a instanceof Lost, lost instanceof Lost], ['X', true, true]);
    assert.deepEqual(inputs(), [['x'], ['a', 'lost']]);
    assert.deepEqual(await settle([queue.submit('o', 'd')]), ['D']);
  });

  test('an input that has waited for 5 s is rejected with 503 and never written', async () => {
    const { queue, inputs, clock, settle } = heldQueue();
    const first = queue.submit('o', 'first');
    const late = queue.submit('o', 'late');
    clock.now = 4999;
    const inTime = queue.submit('o', 'in time');
    clock.now = 5000;
    const [, error, written] = await settle([first, late, inTime]);
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.code, error.status, written], ['SERVICE_UNAVAILABLE', 503, 'IN TIME']);
    assert.deepEqual(inputs(), [['first'], ['in time']]);
  });

  test('an input is rejected in time also while its batch does not begin', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { queue } = heldQueue();
      void queue.submit('o', 'first');
      const late = queue.submit('o', 'late');
      assert.equal(queue.waiting, 1);
      mock.timers.tick(5000);
      await assert.rejects(late, { code: 'SERVICE_UNAVAILABLE' });
      assert.equal(queue.waiting, 0);
    } finally {
      mock.timers.reset();
    }
  });

  test('the patience of a batch is what is left to the one that has waited longest', async () => {
    const { queue, batches, clock, settle } = heldQueue();
    const first = queue.submit('o', 'first');
    clock.now = 1000;
    const second = queue.submit('o', 'second');
    clock.now = 3000;
    const third = queue.submit('o', 'third');
    await settle([first, second, third]);
    assert.deepEqual(
      batches.map(batch => batch.timeout),
      [5000, 3000],
    );
  });

  test('an input is not rejected because another one of its batch has waited too long', async () => {
    const { queue, batches, inputs, clock, settle } = heldQueue();
    const first = queue.submit('o', 'first');
    const submitted = [queue.submit('o', 'bad')];
    clock.now = 3000;
    submitted.push(queue.submit('o', 'b'));
    batches[0]!.end.resolve();
    await first;
    await settled();
    clock.now = 5000;
    const [late, b] = await settle(submitted);
    assert.deepEqual([(late as ApiError).code, b], ['SERVICE_UNAVAILABLE', 'B']);
    assert.deepEqual(inputs(), [['first'], ['bad', 'b'], ['b']]);
  });

  test('a slow organization does not hold up another one', async () => {
    const { queue, batches, settle } = heldQueue();
    const slow = queue.submit('slow', 'a');
    const quick = queue.submit('quick', 'b');
    batches.find(batch => batch.organization === 'quick')!.end.resolve();
    assert.equal(await quick, 'B');
    assert.deepEqual(await settle([slow]), ['A']);
  });
});

/** A step of the model: something is submitted, time goes by, or the batch of an organization ends. */
type Step =
  | { readonly submit: string; readonly to: 'p' | 'q' }
  | { readonly wait: number }
  | { readonly end: 'p' | 'q' };

const organizations = fc.constantFrom('p' as const, 'q' as const);
const inputs = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('e', 'f', 'g').map(target => `${target}:`) },
  { weight: 1, arbitrary: fc.constantFrom('bad', 'lost', '') },
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ submit: inputs, to: organizations }) },
    { weight: 3, arbitrary: fc.record({ end: organizations }) },
    { weight: 1, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 4000 }) }) },
  ),
  { maxLength: 60 },
);

test('whatever comes: in order, one transaction of an organization at a time, none twice but rejected ones, each answered', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async taken => {
      const { queue, batches, clock, settle } = heldQueue();
      const ended = new Set<Batch>();
      const answers: Promise<unknown>[] = [];
      const sent: { name: string; to: string; since: number }[] = [];
      const running = (organization: string) =>
        batches.filter(batch => batch.organization === organization && !ended.has(batch));
      for (const step of taken) {
        if ('submit' in step) {
          const name = `${step.submit}${sent.length}`;
          sent.push({ name, to: step.to, since: clock.now });
          answers.push(queue.submit(step.to, name));
        } else if ('wait' in step) clock.now += step.wait;
        else
          for (const batch of running(step.end)) {
            ended.add(batch);
            batch.end.resolve();
          }
        answers.at(-1)?.catch(() => {});
        await settled();
        for (const organization of ['p', 'q']) assert.ok(running(organization).length <= 1);
      }
      const outcomes = await settle(answers);
      for (const [index, { name, to }] of sent.entries())
        assertAnswered(
          name,
          outcomes[index],
          batches.filter(batch => batch.organization === to),
        );
      for (const organization of ['p', 'q'])
        assertOrder(
          sent.filter(({ to }) => to === organization).map(({ name }) => name),
          batches.filter(batch => batch.organization === organization),
        );
    }),
    { numRuns: 300 },
  );
});

/** Written once if acknowledged; not at all if it was too late; again only behind a batch that was rejected. */
function assertAnswered(name: string, outcome: unknown, batches: readonly Batch[]): void {
  const attempts = batches.filter(batch => batch.inputs.includes(name));
  const rejected = attempts.filter(batch => batch.inputs.some(input => input.includes('bad')));
  if (outcome instanceof ApiError) return assert.equal(attempts.length - rejected.length, 0);
  if (outcome instanceof Rejected) return assert.equal(attempts.at(-1)!.inputs.length, 1);
  assert.equal(attempts.length - rejected.length, 1);
  if (!(outcome instanceof Lost)) assert.equal(outcome, name.toUpperCase());
}

/** First attempts are in the order of arrival, no batch has a target twice, and none waits longer than it may. */
function assertOrder(names: readonly string[], batches: readonly Batch[]): void {
  const first = [...new Set(batches.flatMap(batch => batch.inputs))];
  assert.deepEqual(
    first,
    names.filter(name => first.includes(name)),
  );
  for (const { inputs: batched, timeout } of batches) {
    const targets = batched.filter(name => name.includes(':')).map(name => name.split(':')[0]);
    assert.equal(new Set(targets).size, targets.length);
    assert.ok(batched.length <= 100 && timeout > 0 && timeout <= 5000);
  }
}
