import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SingleFlight } from '../../../src/lib/concurrency/single-flight.ts';

/** Work that the test ends, and the signals that it was begun with. */
function workbench() {
  const begun: { signal: AbortSignal; resolve: (value: number) => void; reject: (error: unknown) => void }[] =
    [];
  const work = (signal: AbortSignal) =>
    new Promise<number>((resolve, reject) => begun.push({ signal, resolve, reject }));
  return { work, begun };
}

/** Runs everything that is ready in the event loop. */
const write = () => new Promise(resolve => setImmediate(resolve));

const gone = new Error('the client has gone');

describe('equal work that is asked for at the same time', () => {
  it('is done once for all', async () => {
    const { work, begun } = workbench();
    const runs = new SingleFlight<number>();
    const event = Promise.resolve();
    const results = Array.from({ length: 5 }, () => event.then(() => runs.next('a', work)));
    await write();
    assert.equal(begun.length, 1);
    begun[0]!.resolve(7);
    assert.deepEqual(await Promise.all(results), [7, 7, 7, 7, 7]);
  });

  it('is begun after it was asked for: those who come later share the next', async () => {
    const { work, begun } = workbench();
    const runs = new SingleFlight<number>();
    const first = runs.next('a', work);
    await write();
    const later = [runs.next('a', work), runs.next('a', work)];
    await write();
    assert.equal(begun.length, 1);
    begun[0]!.resolve(1);
    assert.equal(await first, 1);
    await write();
    assert.equal(begun.length, 2);
    begun[1]!.resolve(2);
    assert.deepEqual(await Promise.all(later), [2, 2]);
  });

  it('that fails fails for those who shared it, and not for the next', async () => {
    const { work, begun } = workbench();
    const runs = new SingleFlight<number>();
    const first = runs.next('a', work);
    await write();
    const next = runs.next('a', work);
    begun[0]!.reject(new Error('lost'));
    await assert.rejects(first, /lost/);
    await write();
    begun[1]!.resolve(3);
    assert.equal(await next, 3);
  });

  it('is not shared between names', async () => {
    const { work, begun } = workbench();
    const runs = new SingleFlight<number>();
    const results = [runs.next('a', work), runs.next('b', work)];
    await write();
    begun.forEach(({ resolve }, index) => resolve(index));
    assert.deepEqual(await Promise.all(results), [0, 1]);
  });

  it('goes on for those who stay when others leave, who wait no longer', async () => {
    const { work, begun } = workbench();
    const runs = new SingleFlight<number>();
    const leaving = new AbortController();
    const first = runs.begin('a', work, leaving.signal);
    const second = runs.inProgress('a')!;
    leaving.abort(gone);
    await assert.rejects(first, gone);
    assert.equal(begun[0]!.signal.aborted, false);
    begun[0]!.resolve(1);
    assert.equal(await second, 1);
  });

  it('is aborted when the last one leaves, with the reason, and accepts no caller then', async () => {
    const { work, begun } = workbench();
    const runs = new SingleFlight<number>();
    const leaving = new AbortController();
    const results = [runs.begin('a', work, leaving.signal), runs.inProgress('a', leaving.signal)!];
    leaving.abort(gone);
    for (const result of results) await assert.rejects(result, gone);
    assert.equal(begun[0]!.signal.reason, gone);
    assert.equal(runs.inProgress('a'), undefined);
    // Although the aborted work has not ended yet, and may end anyhow.
    const next = runs.next('a', work);
    await write();
    assert.equal(begun.length, 2);
    begun[0]!.reject(new Error('aborted'));
    begun[1]!.resolve(2);
    assert.equal(await next, 2);
  });

  it('is never begun when all have left before', async () => {
    const { work, begun } = workbench();
    const runs = new SingleFlight<number>();
    const first = runs.begin('a', work);
    const leaving = new AbortController();
    const next = runs.next('a', work, leaving.signal);
    leaving.abort(gone);
    await assert.rejects(next, gone);
    begun[0]!.resolve(1);
    assert.equal(await first, 1);
    await write();
    assert.equal(begun.length, 1);
  });

  it('leaves no listeners behind', async () => {
    const { work, begun } = workbench();
    const runs = new SingleFlight<number>();
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
    const result = runs.begin('a', work, signal);
    assert.equal(listeners, 1);
    begun[0]!.resolve(1);
    await result;
    assert.equal(listeners, 0);
  });
});

/** A run as it should be. `before`: the run that it waits for. */
interface ModelRun {
  state: 'waiting' | 'running' | 'over' | 'aborted';
  begun: number | null;
  before: ModelRun | null;
  readonly waiting: Set<ModelWaiter>;
}
interface ModelWaiter {
  outcome: string | null;
}

/** The rules, written as plainly as possible, for one name. */
class Model {
  inProgress: ModelRun | null = null;
  next: ModelRun | null = null;
  readonly runs: ModelRun[] = [];
  begun: ModelRun[] = [];

  ask(how: 'join' | 'begin' | 'next'): ModelWaiter {
    const waiter: ModelWaiter = { outcome: null };
    if (how === 'next') {
      this.next ??= this.#add(this.inProgress);
      this.next.waiting.add(waiter);
    } else {
      if (how === 'begin' || !this.inProgress) this.#start(this.#add(null));
      this.inProgress!.waiting.add(waiter);
    }
    this.#goOn();
    return waiter;
  }

  end(run: ModelRun, outcome: string): void {
    if (run.state === 'running') for (const waiter of run.waiting) waiter.outcome ??= outcome;
    if (run.state === 'running') run.state = 'over';
    if (this.inProgress === run) this.inProgress = null;
    this.#goOn();
  }

  leave(waiter: ModelWaiter): void {
    if (waiter.outcome !== null) return;
    waiter.outcome = 'left';
    const run = this.runs.find(({ waiting }) => waiting.has(waiter))!;
    run.waiting.delete(waiter);
    if (run.waiting.size > 0) return;
    run.state = 'aborted';
    if (this.inProgress === run) this.inProgress = null;
    if (this.next === run) this.next = null;
    this.#goOn();
  }

  #add(before: ModelRun | null): ModelRun {
    const run: ModelRun = { state: 'waiting', begun: null, before, waiting: new Set() };
    this.runs.push(run);
    return run;
  }

  #start(run: ModelRun): void {
    run.state = 'running';
    run.begun = this.begun.push(run) - 1;
    this.inProgress = run;
  }

  #goOn(): void {
    const run = this.next;
    if (!run || (run.before && run.before.state === 'running')) return;
    this.next = null;
    this.#start(run);
  }
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant('ask' as const),
    how: fc.constantFrom('join' as const, 'begin' as const, 'next' as const),
  }),
  fc.record({ kind: fc.constant('leave' as const), who: fc.nat() }),
  fc.record({ kind: fc.constant('end' as const), which: fc.nat(), fails: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

describe('runs that are shared, in any order of asking, leaving and ending', () => {
  it('begin, go on, are aborted and give their results by the rules', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), follow), {
      numRuns: 300,
    });
  });
});

async function follow(steps: Step[]): Promise<void> {
  const { work, begun } = workbench();
  const runs = new SingleFlight<number>();
  const model = new Model();
  const asked: { waiter: ModelWaiter; leaving: AbortController; outcome: string | null }[] = [];
  for (const one of steps) {
    if (one.kind === 'ask') {
      const leaving = new AbortController();
      const { signal } = leaving;
      const result =
        one.how === 'join'
          ? (runs.inProgress('a', signal) ?? runs.begin('a', work, signal))
          : runs[one.how]('a', work, signal);
      const entry = { waiter: model.ask(one.how), leaving, outcome: null as string | null };
      asked.push(entry);
      result.then(
        value => (entry.outcome = `got ${value}`),
        (error: Error) => (entry.outcome = error === gone ? 'left' : error.message),
      );
    } else if (one.kind === 'leave' && asked.length > 0) {
      const { waiter, leaving } = asked[one.who % asked.length]!;
      model.leave(waiter);
      leaving.abort(gone);
    } else if (one.kind === 'end' && begun.length > 0) {
      const number = one.which % begun.length;
      model.end(model.begun[number]!, one.fails ? `failed ${number}` : `got ${number}`);
      if (one.fails) begun[number]!.reject(new Error(`failed ${number}`));
      else begun[number]!.resolve(number);
    }
    await write();
    assert.deepEqual(
      asked.map(({ outcome }) => outcome),
      asked.map(({ waiter }) => waiter.outcome),
    );
    assert.deepEqual(
      begun.map(({ signal }) => signal.aborted),
      model.begun.map(({ state }) => state === 'aborted'),
    );
  }
}
