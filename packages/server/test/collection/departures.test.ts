import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Departures } from '../../src/collection/departures.ts';

/** Work that ends when it is told to; `begun` counts how often it was begun. */
function workbench() {
  const endings: { resolve: (value: number) => void; reject: (error: unknown) => void }[] = [];
  const work = () => new Promise<number>((resolve, reject) => endings.push({ resolve, reject }));
  return { work, endings };
}

/** Lets everything happen that waits for nothing but its turn. */
const turn = () => new Promise(resolve => setImmediate(resolve));

describe('equal work that is asked for at the same time', () => {
  it('is done once for all', async () => {
    const { work, endings } = workbench();
    const departures = new Departures<number>();
    const event = Promise.resolve();
    const answers = Array.from({ length: 5 }, () => event.then(() => departures.join('a', work)));
    await turn();
    assert.equal(endings.length, 1);
    endings[0]!.resolve(7);
    assert.deepEqual(await Promise.all(answers), [7, 7, 7, 7, 7]);
  });

  it('is begun after it was asked for: those who come later share the next', async () => {
    const { work, endings } = workbench();
    const departures = new Departures<number>();
    const first = departures.join('a', work);
    await turn();
    const later = [departures.join('a', work), departures.join('a', work)];
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
    const departures = new Departures<number>();
    const first = departures.join('a', work);
    await turn();
    const next = departures.join('a', work);
    endings[0]!.reject(new Error('gone'));
    await assert.rejects(first, /gone/);
    await turn();
    endings[1]!.resolve(3);
    assert.equal(await next, 3);
  });

  it('is not shared between keys', async () => {
    const { work, endings } = workbench();
    const departures = new Departures<number>();
    const answers = [departures.join('a', work), departures.join('b', work)];
    await turn();
    endings.forEach(({ resolve }, index) => resolve(index));
    assert.deepEqual(await Promise.all(answers), [0, 1]);
  });
});
