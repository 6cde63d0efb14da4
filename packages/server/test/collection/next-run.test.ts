import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NextRun } from '../../src/collection/next-run.ts';
import { Abandoned } from '../../src/collection/shared.ts';

/** Work that ends when it is told to; `begun` counts how often it was begun. */
function workbench() {
  const endings: { resolve: (value: number) => void; reject: (error: unknown) => void }[] = [];
  const signals: AbortSignal[] = [];
  const work = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<number>((resolve, reject) => endings.push({ resolve, reject }));
  };
  return { work, endings, signals };
}

/** Lets everything happen that waits for nothing but its turn. */
const turn = () => new Promise(resolve => setImmediate(resolve));

describe('equal work that is asked for at the same time', () => {
  it('is done once for all', async () => {
    const { work, endings } = workbench();
    const runs = new NextRun<number>();
    const event = Promise.resolve();
    const answers = Array.from({ length: 5 }, () => event.then(() => runs.join('a', work)));
    await turn();
    assert.equal(endings.length, 1);
    endings[0]!.resolve(7);
    assert.deepEqual(await Promise.all(answers), [7, 7, 7, 7, 7]);
  });

  it('is begun after it was asked for: those who come later share the next', async () => {
    const { work, endings } = workbench();
    const runs = new NextRun<number>();
    const first = runs.join('a', work);
    await turn();
    const later = [runs.join('a', work), runs.join('a', work)];
    await turn();
    assert.equal(endings.length, 1);
    endings[0]!.resolve(1);
    assert.equal(await first, 1);
    await turn();
    assert.equal(endings.length, 2);
    endings[1]!.resolve(2);
    assert.deepEqual(await Promise.all(later), [2, 2]);
  });

  it('that fails fails for those who shared it, and not for the next', async () => {
    const { work, endings } = workbench();
    const runs = new NextRun<number>();
    const first = runs.join('a', work);
    await turn();
    const next = runs.join('a', work);
    endings[0]!.reject(new Error('gone'));
    await assert.rejects(first, /gone/);
    await turn();
    endings[1]!.resolve(3);
    assert.equal(await next, 3);
  });

  it('is not shared between keys', async () => {
    const { work, endings } = workbench();
    const runs = new NextRun<number>();
    const answers = [runs.join('a', work), runs.join('b', work)];
    await turn();
    endings.forEach(({ resolve }, index) => resolve(index));
    assert.deepEqual(await Promise.all(answers), [0, 1]);
  });

  it('goes on while one who waits is left, and is told when none is; who leaves is told at once', async () => {
    const { work, endings, signals } = workbench();
    const runs = new NextRun<number>();
    const [one, other] = [new AbortController(), new AbortController()];
    const first = runs.join('a', work, one.signal);
    const second = runs.join('a', work, other.signal);
    await turn();
    one.abort(new Error('left'));
    await assert.rejects(first, /left/);
    assert.equal(signals[0]!.aborted, false);
    other.abort(new Error('left too'));
    await assert.rejects(second, /left too/);
    assert.ok(signals[0]!.reason instanceof Abandoned);
    // Whoever comes now gets a run of his own, behind the one that ends.
    const third = runs.join('a', work);
    endings[0]!.reject(signals[0]!.reason);
    await turn();
    endings[1]!.resolve(3);
    assert.equal(await third, 3);
  });

  it('is not begun when all who asked have left before its turn', async () => {
    const { work, endings } = workbench();
    const runs = new NextRun<number>();
    const first = runs.join('a', work);
    await turn();
    const leaving = new AbortController();
    const second = runs.join('a', work, leaving.signal);
    leaving.abort(new Error('left'));
    await assert.rejects(second, /left/);
    endings[0]!.resolve(1);
    assert.equal(await first, 1);
    await turn();
    assert.equal(endings.length, 1);
  });
});
