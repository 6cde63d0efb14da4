import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { SessionCaller } from '../../src/db/session-caller.ts';
import { SessionQueue, type SessionQueueOptions } from '../../src/db/session-queue.ts';

const size = 10;
const reserved = 2;
const max = { callers: 7, organization: 5, caller: 3 };
const expensive = { after: 100, throttledFor: 1000 };
const tooMany = { code: 'SERVICE_UNAVAILABLE', status: 503, message: /^Too many slow requests/ };

function queueOf(more: Partial<SessionQueueOptions> = {}): SessionQueue {
  return new SessionQueue({ size, reserved, timeout: Infinity, ...more });
}

/** A queue with one place. */
const single = (more: Partial<SessionQueueOptions> = {}) => queueOf({ size: 1, reserved: 0, ...more });

/** Work that asked for a place: it runs when it has one. `caller` is `a1` for the caller 1 of the organization a, or null. */
interface Work {
  readonly caller: string | null;
  readonly isBrief: boolean;
  readonly end: AbortController;
  state: 'waiting' | 'running' | 'over' | 'left' | 'rejected';
  error?: unknown;
  place?: Disposable;
}

interface How {
  readonly isBrief?: boolean;
  readonly since?: number;
  readonly until?: number;
}

function arrive(queue: SessionQueue, caller: string | null, how: How = {}): Work {
  const { isBrief = false, since = performance.now(), until = Infinity } = how;
  const work: Work = { caller, isBrief, end: new AbortController(), state: 'waiting' };
  const awaited = { since, until, signal: work.end.signal };
  const sent: SessionCaller | null =
    caller === null ? null : { organizationId: caller[0]!, id: caller, awaited };
  void enter(work, async () => queue.take(sent, isBrief));
  return work;
}

async function enter(work: Work, take: () => Promise<Disposable>): Promise<void> {
  try {
    work.place = await take();
    work.state = 'running';
  } catch (error) {
    work.error = error;
    work.state = work.end.signal.aborted ? 'left' : 'rejected';
  }
}

const settled = () => new Promise(setImmediate);

async function finish(work: Work): Promise<void> {
  work.state = 'over';
  work.place![Symbol.dispose]();
  await settled();
}

const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', null];

/** Whether one more work may run, by the numbers of those that run. */
function mayRun(running: readonly Work[], { caller, isBrief }: Pick<Work, 'caller' | 'isBrief'>): boolean {
  if (running.length >= size) return false;
  if (caller === null) return true;
  const ofCallers = running.filter(work => work.caller !== null);
  const levels: [Work[], number][] = [
    [ofCallers, max.callers],
    [ofCallers.filter(work => work.caller![0] === caller[0]), max.organization],
    [ofCallers.filter(work => work.caller === caller), max.caller],
  ];
  return levels.every(
    ([works, limit]) =>
      works.length <= limit && (isBrief || works.filter(work => !work.isBrief).length < limit),
  );
}

test('at any time the bounds hold, no place is idle that may be taken, nothing that waits is forgotten, and all is over in the end', async () => {
  const event = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('arrive' as const),
        caller: fc.constantFrom(...names),
        isBrief: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('finish' as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), which: fc.nat() }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 80 }), async events => {
      const queue = queueOf();
      const works: Work[] = [];
      const those = (state: Work['state']) => works.filter(work => work.state === state);
      for (const one of events) {
        if (one.kind === 'arrive') works.push(arrive(queue, one.caller, one));
        else {
          // Neither the service itself nor a batch of brief work leaves.
          const among =
            one.kind === 'finish'
              ? those('running')
              : those('waiting').filter(({ caller, isBrief }) => caller !== null && !isBrief);
          const work = among[one.which % among.length];
          if (!work) continue;
          if (one.kind === 'leave') work.end.abort(new Error('left'));
          else await finish(work);
        }
        await settled();
        const running = those('running');
        for (const work of running)
          assert.ok(
            mayRun(
              running.filter(other => other !== work),
              work,
            ),
          );
        for (const work of those('waiting')) assert.ok(!mayRun(running, work));
        const waiting = those('waiting').filter(({ isBrief }) => !isBrief).length;
        assert.deepEqual(queue.state, { running: running.length, waiting });
      }
      while (those('running').length > 0) await finish(those('running')[0]!);
      assert.equal(those('waiting').length, 0);
      assert.deepEqual(queue.state, { running: 0, waiting: 0 });
    }),
  );
});

test('organizations take turns, and in each its callers, however much one of them sends', async () => {
  const queue = single();
  const first = arrive(queue, null);
  await settled();
  const sent = ['a1', 'a1', 'a1', 'a1', 'a2', 'b1', 'b1', 'c1'];
  const works = sent.map(caller => arrive(queue, caller));
  const order: string[] = [];
  for (let work: Work | undefined = first; work; work = works.find(({ state }) => state === 'running')) {
    await finish(work);
    const next = works.find(({ state }) => state === 'running');
    if (next) order.push(next.caller!);
  }
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b1', 'a1', 'a1', 'a1']);
});

describe('the shares of ten sessions', () => {
  const running = (works: readonly Work[]) => works.filter(({ state }) => state === 'running').length;

  test('a caller has three, with one more for brief work; an organization five; all callers eight, so that two are left', async () => {
    const queue = queueOf();
    const slow = Array.from({ length: 9 }, () => arrive(queue, 'a1'));
    const brief = Array.from({ length: 9 }, () => arrive(queue, 'a1', { isBrief: true }));
    await settled();
    assert.deepEqual([running(slow), running(brief)], [max.caller, 1]);
    const others = Array.from({ length: 9 }, () => arrive(queue, 'a2'));
    await settled();
    assert.equal(running(others), max.organization - max.caller);
    const foreign = Array.from({ length: 9 }, () => arrive(queue, 'b1'));
    await settled();
    assert.equal(running(foreign), 2);
    assert.equal(queue.state.running, size - reserved);
    const service = Array.from({ length: 9 }, () => arrive(queue, null));
    await settled();
    assert.equal(running(service), reserved);
  });

  test('brief work that never ends does not keep slow work of its caller waiting', async () => {
    const queue = queueOf();
    const brief = Array.from({ length: 9 }, () => arrive(queue, 'a1', { isBrief: true }));
    await settled();
    const slow = arrive(queue, 'a1', { since: 0 });
    await finish(brief[0]!);
    assert.equal(slow.state, 'running');
  });

  test('of one or two sessions each caller may use one', async () => {
    for (const size of [1, 2]) {
      const queue = queueOf({ size, reserved: 0 });
      const works = [arrive(queue, 'a1'), arrive(queue, 'a1')];
      await settled();
      assert.deepEqual(
        works.map(({ state }) => state),
        ['running', 'waiting'],
      );
    }
  });
});

describe('work that waits', () => {
  test('starts by the age of its request, whenever it asks for a place', async () => {
    const queue = single();
    const first = arrive(queue, 'a1');
    await settled();
    const works = [3, 2, 4, 1].map(since => arrive(queue, 'a1', { since }));
    const order: number[] = [];
    for (let work = first; work; work = works.find(({ state }) => state === 'running')!) {
      await finish(work);
      const next = works.findIndex(({ state }) => state === 'running');
      if (next >= 0) order.push([3, 2, 4, 1][next]!);
    }
    assert.deepEqual(order, [1, 2, 3, 4]);
  });

  test('is rejected when 200 of its caller wait, and those of others are not', async () => {
    const queue = single();
    arrive(queue, 'a1');
    const waiting = Array.from({ length: 200 }, () => arrive(queue, 'a1'));
    const late = arrive(queue, 'a1');
    const other = arrive(queue, 'a2');
    const service = arrive(queue, null);
    await settled();
    assert.throws(() => {
      throw late.error;
    }, tooMany);
    for (const work of [...waiting, other, service]) assert.equal(work.state, 'waiting');
  });

  test('fails as unavailable after the timeout, and never begins', async () => {
    const queue = single({ timeout: 20 });
    const first = arrive(queue, 'a1');
    await settled();
    await assert.rejects(async () => queue.take({ organizationId: 'a', id: 'a1' }, false), {
      name: 'NoSession',
    });
    await finish(first);
    assert.deepEqual(queue.state, { running: 0, waiting: 0 });
  });

  test('whose client has left takes no place', async () => {
    const queue = single();
    const first = arrive(queue, 'a1');
    await settled();
    const left = new AbortController();
    left.abort(new Error('left'));
    const awaited = { since: 0, until: Infinity, signal: left.signal };
    await assert.rejects(async () => queue.take({ organizationId: 'b', id: 'b1', awaited }, false), /left/);
    await finish(first);
    assert.deepEqual(queue.state, { running: 0, waiting: 0 });
  });
});

describe('a caller with expensive work', () => {
  test('has one place for a while, with one for brief work, and no place stays idle after that', async () => {
    let time = 0;
    const queue = queueOf({ expensive, now: () => time });
    const works = Array.from({ length: 6 }, () => arrive(queue, 'a1'));
    const running = () => works.filter(({ state }) => state === 'running');
    const finishOne = async (after: number) => {
      time += after;
      await finish(running()[0]!);
    };
    await settled();
    assert.equal(running().length, 3);
    await finishOne(expensive.after);
    assert.equal(running().length, 3, 'what takes just as long is not expensive');
    await finishOne(1);
    await finishOne(1);
    assert.equal(running().length, 1, 'the first was expensive: the others go on alone');
    const brief = arrive(queue, 'a1', { isBrief: true });
    await settled();
    assert.equal(brief.state, 'running');
    await finish(brief);
    time += expensive.throttledFor + expensive.after;
    works.push(arrive(queue, 'a1'));
    await settled();
    assert.equal(running().length, 2, 'the while is over');
  });

  test('is the only one that is throttled', async () => {
    let time = 0;
    const queue = queueOf({ expensive, now: () => time });
    const slow = arrive(queue, 'a1');
    const ofService = arrive(queue, null);
    await settled();
    time = 200;
    await finish(slow);
    await finish(ofService);
    for (const caller of ['a2', 'b1', null]) {
      const works = [arrive(queue, caller), arrive(queue, caller)];
      await settled();
      for (const work of works) {
        assert.equal(work.state, 'running');
        await finish(work);
      }
    }
  });

  test('is told when its work ends, with the seconds to wait, what would be answered too late', async () => {
    let time = 0;
    const until = 10_000;
    const queue = queueOf({ size: 6, expensive: { after: 1000, throttledFor: 10_000 }, now: () => time });
    const heavy = Array.from({ length: 20 }, () => arrive(queue, 'a1', { since: 0, until }));
    const others = Array.from({ length: 9 }, () => arrive(queue, 'b1', { since: 0, until }));
    await settled();
    const those = (state: Work['state']) => heavy.filter(work => work.state === state).length;
    time = 2000;
    await finish(heavy[0]!);
    assert.equal(those('rejected'), 0, 'a single expensive one rejects nothing');
    await finish(heavy[1]!);
    // One takes 2 s, 8 s are left, and one is still running.
    assert.deepEqual([those('running'), those('waiting'), those('rejected')], [1, 3, 14]);
    const late = arrive(queue, 'a1', { since: 0, until });
    await settled();
    assert.equal(late.state, 'waiting', 'a rejection at once would be followed by the next request at once');
    time = 4000;
    await finish(heavy.find(({ state }) => state === 'running')!);
    assert.equal((late.error as { retryAfter: number }).retryAfter, 8);
    assert.equal(others.filter(({ state }) => state === 'rejected').length, 0);
  });
});
