import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { pino } from 'pino';
import { type Counting, memoryCounting, redisCounting } from '../../src/lib/counting.ts';
import { noRedis, withRedis } from '../support/servers/redis.ts';

const logger = pino({ level: 'silent' });

/** The rules of {@link Counting}, whatever it counts in. */
function rules(use: (work: (counting: Counting) => Promise<void>) => Promise<void>): void {
  test('a name counts up, and one that was given back is free again', () =>
    use(async counting => {
      assert.equal((await counting.add('name', 60)).count, 1);
      assert.equal((await counting.add('name', 60)).count, 2);
      await counting.giveBack('name');
      assert.equal((await counting.add('name', 60)).count, 2);
      assert.equal((await counting.add('other', 60)).count, 1);
    }));

  test('giving one back leaves the end of the window alone, and the last one ends it', () =>
    use(async counting => {
      const first = await counting.add('name', 60);
      await counting.add('name', 60);
      await counting.giveBack('name');
      const { milliseconds } = await counting.add('name', 3600);
      assert.ok(milliseconds <= first.milliseconds, `${milliseconds}`);
      await counting.giveBack('name');
      await counting.giveBack('name');
      assert.ok((await counting.add('name', 3600)).milliseconds > 3_000_000);
    }));

  test('nothing is given back below zero, so that no caller gains by it', () =>
    use(async counting => {
      await counting.giveBack('name');
      await counting.giveBack('name');
      assert.equal((await counting.add('name', 60)).count, 1);
    }));

  test('a name that is reset begins at one, in a new window', () =>
    use(async counting => {
      for (let n = 0; n < 3; n++) await counting.add('name', 60);
      await counting.reset('name');
      const { count, milliseconds } = await counting.add('name', 3600);
      assert.equal(count, 1);
      assert.ok(milliseconds > 3_000_000);
    }));

  test('calls at the same time lose nothing', () =>
    use(async counting => {
      const adding = Array.from({ length: 100 }, () => counting.add('name', 60));
      await Promise.all([...adding, ...Array.from({ length: 60 }, () => counting.giveBack('name'))]);
      assert.equal((await counting.add('name', 60)).count, 41);
    }));
}

describe('in memory', () => {
  rules(work => work(memoryCounting()));

  test('a window ends after its seconds', async () => {
    mock.timers.enable({ apis: ['Date', 'setTimeout'] });
    try {
      const counting = memoryCounting();
      await counting.add('name', 60);
      mock.timers.tick(59_999);
      assert.deepEqual(await counting.add('name', 60), { count: 2, milliseconds: 1 });
      mock.timers.tick(1);
      assert.deepEqual(await counting.add('name', 60), { count: 1, milliseconds: 60_000 });
    } finally {
      mock.timers.reset();
    }
  });
});

describe('in Redis', { skip: noRedis }, () => {
  rules(work =>
    withRedis(async redis => {
      const counting = await redisCounting(redis.url, logger);
      try {
        await work(counting);
      } finally {
        counting.close();
      }
    }),
  );

  test('while Redis is away, what was counted there is not given back here', () =>
    withRedis(async redis => {
      const counting = await redisCounting(redis.url, logger, 0);
      await counting.add('name', 60);
      await redis.stop();
      await counting.giveBack('name');
      await counting.reset('name');
      assert.equal((await counting.add('name', 60)).count, 1);
      await counting.giveBack('name');
      assert.equal((await counting.add('name', 60)).count, 1);
      counting.close();
    }));
});
