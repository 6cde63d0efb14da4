import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { atScale } from '../../server/test/support/service/scale.ts';
import {
  ConflictError,
  type Employee,
  type Kontor,
  KontorError,
  UnexpectedAnswerError,
  WriteOutcomeUnknown,
} from '../src/index.ts';
import { Random } from '../../tabular/test/generator/random.ts';
import { type Fault, faultProxy, faults } from './support/fault-proxy.ts';
import { pdf, useSdkFixture } from './support/fixture.ts';

let folder: string;
const fixture = useSdkFixture(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'kontor-sdk-'))));
after(() => rm(folder, { recursive: true }));

/** Repeats a read or `reconcile()` until Kontor answers it. Any other error fails the test. */
async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await ask();
    } catch (error) {
      const isLost = error instanceof UnexpectedAnswerError || error instanceof WriteOutcomeUnknown;
      if (!isLost && !(error instanceof KontorError && error.retryable)) throw error;
    }
}

/** Sends a write until it is stored, as a program does that trusts `reconcile()`. Null: another change may have followed it. */
async function store<T>(write: () => Promise<T>): Promise<T | null> {
  for (;;)
    try {
      return await write();
    } catch (error) {
      if (error instanceof WriteOutcomeUnknown) {
        const { outcome, resource } = await insist(() => error.reconcile());
        if (outcome === 'happened') return resource as T;
        if (outcome === 'unknown') return null;
      } else if (!(error instanceof KontorError && error.retryable)) throw error;
    }
}

interface Schedule {
  readonly seed: number;
  readonly kontor: Kontor;
  /** A client without a proxy, for the oracle. */
  readonly direct: Kontor;
}

/** A write, and the identifiers of what it has stored. */
interface Write {
  send(): Promise<{ id: string }>;
  stored(): Promise<string[]>;
}

const idsOf = async (list: AsyncIterable<{ id: string }>) =>
  (await Array.fromAsync(list)).map(({ id }) => id);

/** Stores each write. Returns a check: each is stored once, and is the one that was acknowledged. */
async function checkWrites({ seed, kontor, direct }: Schedule): Promise<() => Promise<void>> {
  const { employeeId } = fixture;
  const email = `${seed}@schedule.example`;
  const name = `Division ${seed}`;
  const { id: orderId } = await fixture.order();
  const report = {
    employeeId,
    orderId,
    type: 'damage',
    occurredOn: '2026-09-02',
    description: `Schedule ${seed}`,
  } as const;
  const { id: incidentId } = await direct.incidents.create({ ...report, description: 'Rahmen gebrochen' });
  const writes: Write[] = [
    {
      send: () => kontor.employees.create({ email, firstName: 'Ina', lastName: `Name ${seed}` }),
      stored: () => idsOf(direct.employees.list({ filter: `email = '${email}'` })),
    },
    {
      send: () => kontor.divisions.create({ name }),
      stored: () => idsOf(direct.divisions.list({ filter: `name = '${name}'` })),
    },
    {
      send: () => kontor.incidents.create(report),
      stored: () => idsOf(direct.incidents.list({ filter: `description = '${report.description}'` })),
    },
    {
      send: () => kontor.incidents.uploadAttachment(incidentId, pdf),
      stored: async () => (await direct.incidents.get(incidentId)).attachments.map(({ id }) => id),
    },
    {
      send: () => kontor.orders.decide(orderId, { decision: 'approved', comment: name }),
      stored: async () => ((await direct.orders.get(orderId)).hrHistory?.comment === name ? [orderId] : []),
    },
  ];
  const acknowledged: string[] = [];
  for (const { send } of writes) acknowledged.push((await store(send))!.id);
  return async () => {
    const stored = await Promise.all(writes.map(write => write.stored()));
    assert.deepEqual(
      stored,
      acknowledged.map(id => [id]),
    );
  };
}

/** Two programs add words to one text, each by `ifMatch`. Returns a check: no word is missing. */
async function checkEdits({ seed, kontor, direct }: Schedule): Promise<() => Promise<void>> {
  const person = { email: `${seed}@edits.example`, firstName: 'Ina', lastName: 'Neu', additionalInfo: '' };
  const { id } = await direct.employees.create(person);
  const wordsOf = ({ additionalInfo }: Employee) => additionalInfo?.split(' ') ?? [];
  const add = async (client: Kontor, word: string): Promise<void> => {
    for (;;) {
      const employee = await insist(() => client.employees.get(id));
      const words = wordsOf(employee);
      if (words.includes(word)) return;
      const additionalInfo = [...words, word].join(' ').trim();
      const update = () => client.employees.update(id, { additionalInfo }, { ifMatch: employee });
      const isStored = await store(update).catch((error: unknown) => {
        if (error instanceof ConflictError && error.current !== null) return null;
        throw error;
      });
      if (isStored !== null) return;
    }
  };
  const programs = [
    [kontor, 'a'],
    [direct, 'b'],
  ] as const;
  const words = programs.map(([, letter]) => ['1', '2', '3', '4'].map(number => letter + number));
  await Promise.all(
    programs.map(async ([client], index) => {
      for (const word of words[index]!) await add(client, word);
    }),
  );
  return async () => {
    const stored = wordsOf(await direct.employees.get(id)).filter(Boolean);
    assert.deepEqual(stored.sort(), words.flat().sort());
  };
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
async function checkChanges({ seed, kontor, direct }: Schedule, random: Random): Promise<void> {
  const ids = (await direct.employees.list({ pageSize: 10 }).page()).items.map(({ id }) => id);
  const newest = new Map<string, Employee>();
  let since: string | undefined;
  for (let round = 0; round < 3; round++) {
    const changes = kontor.employees.changes({ since, pageSize: 3 });
    await insist(async () => {
      for await (const employee of changes) {
        newest.set(employee.id, employee);
        if (random.next() < 0.1)
          await direct.employees.update(random.pick(ids), {
            city: `City ${random.next()}`,
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
  const random = new Random(seed);
  const rate = random.next() * 0.5;
  const proxy = await faultProxy(fixture.service.url);
  // Waits of the quota are a second each, so a schedule has a few of them.
  let rejections = 3;
  proxy.next = (): Fault => {
    if (random.next() >= rate) return null;
    const fault = random.pick(faults);
    if ((fault === 'rejected' || fault === 'late-503') && rejections-- <= 0) return 'slow';
    return fault;
  };
  const kontor = fixture.kontor({ baseUrl: proxy.url, serviceDeadline: 0, maxRetries: 1 + (seed % 3) });
  const schedule = { seed, kontor, direct: fixture.kontor() };
  try {
    const checks = [await checkWrites(schedule), await checkEdits(schedule)];
    for (const check of checks) await check();
    await checkReads(schedule);
    await checkChanges(schedule, random);
    // Then the service has ended the requests that were cut off as well.
    await proxy.close();
    for (const check of checks) await check();
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
