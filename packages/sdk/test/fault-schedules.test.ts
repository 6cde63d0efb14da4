import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { atScale } from '../../server/test/support/scale.ts';
import {
  type Employee,
  type Kontor,
  KontorError,
  type Outcome,
  UnexpectedAnswerError,
  WriteOutcomeUnknown,
} from '../src/index.ts';
import { type Fault, faultProxy, faults, type Forwarded } from './support/fault-proxy.ts';
import { pdf, useSdkFixture } from './support/fixture.ts';

let folder: string;
const fixture = useSdkFixture(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'kontor-sdk-'))));
after(() => rm(folder, { recursive: true }));

/** A sequence of numbers from 0 to 1 that a seed determines (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Repeats a read that has used up its retries, or was not answered by Kontor. Any other error fails the test. */
async function insist<T>(read: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await read();
    } catch (error) {
      const isForeign = error instanceof UnexpectedAnswerError;
      if (!isForeign && !(error instanceof KontorError && error.retryable)) throw error;
    }
}

interface Schedule {
  readonly seed: number;
  readonly kontor: Kontor;
  /** A client without a proxy, for the oracle. */
  readonly direct: Kontor;
  readonly forwarded: readonly Forwarded[];
}

/** How a write ended, and what was read of it without faults. */
interface Ended {
  readonly outcome: Outcome;
  readonly isStored: boolean;
}

/** Sends a write until it is stored, as a program does that trusts `reconcile()`. */
async function writeOnce(write: () => Promise<unknown>, isStored: () => Promise<boolean>): Promise<Ended[]> {
  const ended: Ended[] = [];
  for (;;) {
    let outcome: Outcome;
    try {
      await write();
      outcome = 'happened';
    } catch (error) {
      if (error instanceof WriteOutcomeUnknown) outcome = (await insist(() => error.reconcile())).outcome;
      else if (error instanceof KontorError && error.retryable) outcome = 'not_happened';
      else throw error;
    }
    ended.push({ outcome, isStored: await isStored() });
    if (outcome !== 'not_happened') return ended;
  }
}

/** Each write is stored exactly when the client says so, and none is sent again after it was stored. */
async function checkWrites({ seed, kontor, direct, forwarded }: Schedule): Promise<void> {
  const email = `${seed}@schedule.example`;
  const created = () => direct.employees.list({ filter: `email = '${email}'` }).first();
  const { id: orderId } = await fixture.order();
  const division = `Division ${seed}`;
  const writes: [write: () => Promise<unknown>, isStored: () => Promise<boolean>][] = [
    [
      () => kontor.employees.create({ email, firstName: 'Ina', lastName: `Name ${seed}` }),
      async () => (await created()) !== undefined,
    ],
    [
      async () => kontor.employees.update((await created())!.id, { employeeNumber: `N${seed}` }),
      async () => (await created())!.employeeNumber === `N${seed}`,
    ],
    [
      () => kontor.divisions.create({ name: division }),
      async () => (await direct.divisions.list({ filter: `name = '${division}'` }).first()) !== undefined,
    ],
    [
      () => kontor.orders.decide(orderId, { decision: 'approved', comment: `Comment ${seed}` }),
      async () => (await direct.orders.get(orderId)).hrHistory?.comment === `Comment ${seed}`,
    ],
  ];
  for (const [write, isStored] of writes)
    for (const ended of await writeOnce(write, isStored))
      assert.deepEqual(ended, {
        outcome: ended.isStored ? 'happened' : 'not_happened',
        isStored: ended.isStored,
      });
  const repeated = forwarded.filter(({ status }) => status === 409);
  assert.deepEqual(repeated, [], 'a write was sent again after it was stored');
}

/** An incident and its upload have nothing unique: the client may not claim to know what became of them. */
async function checkUnprovable({ kontor, direct }: Schedule): Promise<void> {
  const { id: orderId } = await fixture.order();
  const body = {
    employeeId: fixture.employeeId,
    orderId,
    type: 'damage',
    occurredOn: '2026-09-02',
    description: 'Rahmen gebrochen',
  } as const;
  const settle = async (error: unknown) => {
    if (!(error instanceof KontorError)) throw error;
    return error instanceof WriteOutcomeUnknown ? (await error.reconcile()).outcome : null;
  };
  const reported = await kontor.incidents.create(body).catch(settle);
  const { id } = await direct.incidents.create(body);
  const uploaded = await kontor.incidents.uploadAttachment(id, pdf).catch(settle);
  const { attachments } = await direct.incidents.get(id);
  if (typeof reported === 'string') assert.equal(reported, 'unknown');
  if (typeof uploaded === 'string') assert.equal(uploaded, 'unknown');
  else assert.equal(attachments.length, uploaded === null ? 0 : 1);
}

async function checkReads({ seed, kontor, direct }: Schedule): Promise<void> {
  const { id, sha256 } = fixture.payrollDocument;
  const to = path.join(folder, `${seed}.csv`);
  const saved = await insist(() => kontor.payrollExportDocuments.download(id, { to }));
  assert.equal(saved.sha256, sha256);
  assert.deepEqual(await readFile(to), fixture.payroll);
  const { id: orderId, attachmentId } = await fixture.orderWithAttachment();
  const bytes = await insist(async () => {
    const { stream } = await kontor.orders.downloadAttachment(orderId, attachmentId);
    return new Uint8Array(await new Response(stream).arrayBuffer());
  });
  assert.deepEqual(bytes, new Uint8Array(pdf));
  // A few pages only: a list that fails begins again, and each schedule adds a division.
  const known = await Array.fromAsync(direct.divisions.list());
  const divisions = await insist(() => Array.fromAsync(kontor.divisions.list({ pageSize: 50 })));
  const ids = new Set(divisions.map(({ id }) => id));
  assert.equal(ids.size, divisions.length);
  assert.ok(known.every(({ id }) => ids.has(id)));
  assert.equal((await insist(() => kontor.health())).status, 'ok');
  assert.equal((await insist(() => kontor.employees.get(fixture.employeeId))).id, fixture.employeeId);
}

/** Follows changes while employees change: each is reported in its newest version. */
async function checkChanges({ seed, kontor, direct }: Schedule, random: () => number): Promise<void> {
  const ids = (await direct.employees.list({ pageSize: 10 }).page()).items.map(({ id }) => id);
  const newest = new Map<string, Employee>();
  let since: string | undefined;
  for (let round = 0; round < 3; round++) {
    const changes = kontor.employees.changes({ since, pageSize: 3 });
    await insist(async () => {
      for await (const employee of changes) {
        newest.set(employee.id, employee);
        if (random() < 0.1)
          await direct.employees.update(ids[Math.floor(random() * ids.length)]!, {
            city: `City ${random()}`,
          });
      }
    });
    since = changes.checkpoint;
  }
  await insist(async () => {
    for await (const employee of kontor.employees.changes({ since })) newest.set(employee.id, employee);
  });
  const stored = await Array.fromAsync(direct.employees.list());
  const missed = stored.filter(({ id, updatedAt }) => (newest.get(id)?.updatedAt ?? '') < updatedAt);
  // Another schedule, which runs at the same time, may have changed them since.
  const since2 = await insist(() => Array.fromAsync(kontor.employees.changes({ since })));
  assert.deepEqual(
    missed.filter(({ id }) => !since2.some(later => later.id === id)),
    [],
    `seed ${seed}`,
  );
}

async function runSchedule(seed: number): Promise<void> {
  const random = randomOf(seed);
  const rate = random() * 0.5;
  const proxy = await faultProxy(fixture.service.url);
  // Waits of the quota are a second each, so a schedule has a few of them.
  let rejections = 3;
  proxy.next = (): Fault => {
    if (random() >= rate) return null;
    const fault = faults[Math.floor(random() * faults.length)]!;
    if ((fault === 'rejected' || fault === 'late-503') && rejections-- <= 0) return 'slow';
    return fault;
  };
  const kontor = fixture.kontor({ baseUrl: proxy.url, serviceDeadline: 0, maxRetries: 1 + (seed % 3) });
  const schedule = { seed, kontor, direct: fixture.kontor(), forwarded: proxy.forwarded };
  try {
    await checkWrites(schedule);
    await checkUnprovable(schedule);
    await checkReads(schedule);
    await checkChanges(schedule, random);
  } catch (error) {
    throw new Error(`schedule ${seed}`, { cause: error });
  } finally {
    await proxy.close();
  }
}

/** Schedules of one test, so that none of them takes minutes. */
const batch = 10;
const runs = atScale(6, 200);

describe('every method, reconcile() and changes() end right under random faults', () => {
  for (let first = 1; first <= runs; first += batch) {
    const last = Math.min(first + batch - 1, runs);
    test(`of the schedules ${first} to ${last}`, async t => {
      // The waits before retries are the subject of other tests.
      t.mock.method(Math, 'random', () => 0);
      const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index).values();
      const work = async () => {
        for (const seed of seeds) await runSchedule(seed);
      };
      await Promise.all([work(), work(), work()]);
    });
  }

  test('no part of a download is left', async () => {
    assert.deepEqual(
      (await readdir(folder)).filter(name => !name.endsWith('.csv')),
      [],
    );
  });
});
