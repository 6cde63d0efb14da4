import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Fault, faultProxy } from '../../sdk/test/support/fault-proxy.ts';
import { startService } from '../../server/test/support/service/service.ts';
import { atScale } from '../../server/test/support/service/scale.ts';
import { Random } from '../../tabular/test/generator/random.ts';
import { type Company, personRow, useCompanies } from './support/company.ts';

const program = fileURLToPath(new URL('../bin/kontor-sync.js', import.meta.url));
const { fixture, makeCompany } = useCompanies();

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

/** Numbers of people by what happens to them. People 0 to 39 are known before the schedule. */
const [changed, edited, inConflict, absent, created] = [
  range(0, 12),
  range(12, 16),
  range(16, 18),
  [38, 39],
  range(40, 48),
];

async function prepare(company: Company): Promise<void> {
  await company.configure({ absent: 'block', brake: { changed: 100, blocked: 100 } });
  await company.write(range(0, 40).map(number => personRow(number, 'Berlin', 'Lager')));
  await company.sync();
  const ids = new Map(
    (await Array.fromAsync(company.kontor.employees.list())).map(({ employeeNumber, id }) => [
      employeeNumber,
      id,
    ]),
  );
  for (const number of [...edited, ...inConflict])
    await company.kontor.employees.update(ids.get(String(number))!, { city: 'Von Hand' });
  await company.write([
    ...range(0, 38).map(number =>
      personRow(number, changed.includes(number) || inConflict.includes(number) ? 'Ulm' : 'Berlin', 'Lager'),
    ),
    ...created.map(number => personRow(number, 'Ulm', 'Vertrieb / Nord')),
  ]);
}

/** The city, the block and the number of stored changes of each person. */
async function stateOf({ kontor, organization }: Company) {
  const stored = await fixture.sql<{ target_id: string; n: number }[]>`
    SELECT target_id, count(*)::int AS n FROM audit
    WHERE organization_id = ${organization} AND outcome = 'done' GROUP BY target_id`;
  const counts = new Map(stored.map(({ target_id: id, n }) => [id, n]));
  const employees = await Array.fromAsync(kontor.employees.list());
  const entries = employees.map(({ id, employeeNumber, city, blocked }) => [
    Number(employeeNumber),
    { city, blocked, writes: counts.get(id) },
  ]);
  return Object.fromEntries(entries) as Record<number, { city: string; blocked: boolean; writes: number }>;
}

/** Runs the program in a process of its own. Returns its exit code; null after its death. */
async function runProgram(
  { folder, apiKey }: Company,
  onStart: (kill: () => void) => void,
): Promise<number | null> {
  const args = ['run', path.join(folder, 'people.csv'), '--config', path.join(folder, 'kontor-sync.json')];
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, KONTOR_API_KEY: apiKey },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  onStart(() => child.kill('SIGKILL'));
  return (await ended)[0];
}

const faults = [
  'before',
  'during',
  'after',
  'truncated',
  'rejected',
  'late-503',
  'slow',
  'html',
  'foreign',
] as const;

/** The event from a random request of the first process on, apart from its faults. */
const events = ['none', 'storm', 'restart', 'latency'] as const;
/** About the requests of a run without faults. */
const steps = 30;

/** Seeds of the schedules. `KONTOR_TEST_SCHEDULES=1-200` chooses others. */
const [firstSeed, lastSeed] = (process.env['KONTOR_TEST_SCHEDULES'] ?? `1-${atScale(3, 60)}`)
  .split('-')
  .map(Number) as [number, number];

async function runSchedule(seed: number): Promise<void> {
  const random = new Random(seed);
  let service = await startService(fixture.sql);
  const port = Number(new URL(service.url).port);
  const restartService = async () => {
    await service.stop();
    service = await startService(fixture.sql, { port });
  };
  let restart = Promise.resolve();
  const proxy = await faultProxy(service.url);
  try {
    const company = await makeCompany(proxy.url);
    await prepare(company);
    const rate = random.next() * 0.3;
    let storms = 2;
    const event = events[seed % events.length]!;
    let untilEvent = random.integer(1, steps);
    let untilEnd = untilEvent + random.integer(10, 20);
    const kills = random.integer(1, 3);
    let exitCode: number | null = null;
    for (let attempt = 0; attempt < 20 && exitCode !== 2; attempt++) {
      // The first kills of 120 schedules are at every step of every event.
      const first = 1 + ((Math.floor(seed / events.length) + 7 * seed) % steps);
      const step = attempt >= kills ? Infinity : attempt === 0 ? first : random.integer(1, steps);
      const isBeforeAnswer = random.once(2);
      exitCode = await runProgram(company, kill => {
        let [requests, answers] = [0, 0];
        proxy.answered = () => {
          if (++answers === step && !isBeforeAnswer) kill();
        };
        proxy.next = (): Fault => {
          if (++requests === step && isBeforeAnswer) kill();
          const isEvent = --untilEvent <= 0 && --untilEnd > 0;
          if (isEvent && event === 'storm') return 'rejected';
          if (isEvent && event === 'latency') return 'slow';
          if (untilEvent === 0 && event === 'restart') restart = restartService();
          if (random.next() >= rate) return null;
          const fault = random.pick(faults);
          return (fault === 'rejected' || fault === 'late-503') && storms-- <= 0 ? 'slow' : fault;
        };
      });
    }
    await restart;
    proxy.next = () => null;
    const report = JSON.parse(await readFile(path.join(company.folder, 'report.json'), 'utf8'));
    assert.deepEqual([exitCode, report.applied.skipped, report.manual], [2, [], []]);
    const last = await company.sync(2);
    assert.deepEqual([last.applied.updates, last.applied.creates, last.applied.blocks], [0, 0, 0]);
    assert.deepEqual([last.conflicts.length, last.kept.length], [inConflict.length, edited.length]);
    const expected = (number: number) => {
      const isEdited = edited.includes(number) || inConflict.includes(number);
      const city = isEdited
        ? 'Von Hand'
        : changed.includes(number) || created.includes(number)
          ? 'Ulm'
          : 'Berlin';
      const blocked = absent.includes(number);
      return { city, blocked, writes: 1 + Number(isEdited || changed.includes(number) || blocked) };
    };
    const numbers = range(0, 48);
    assert.deepEqual(
      await stateOf(company),
      Object.fromEntries(numbers.map(number => [number, expected(number)])),
    );
    const names = (await Array.fromAsync(company.kontor.divisions.list())).map(({ name }) => name);
    assert.deepEqual(names.toSorted(), ['Lager', 'Nord', 'Vertrieb']);
  } catch (error) {
    throw new Error(`schedule ${seed}`, { cause: error });
  } finally {
    await proxy.close();
    await restart.catch(() => {});
    await service.stop();
  }
}

describe('after kill -9 at random requests and random faults, each write is stored once, no conflict is written, and no edit is lost', () => {
  for (const seed of range(firstSeed, lastSeed + 1)) test(`in schedule ${seed}`, () => runSchedule(seed));
});
