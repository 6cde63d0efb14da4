/**
 * `node --expose-gc bench/sdk.ts`: lists 100,000 employees with the SDK and with bare `fetch`, interleaved, on an embedded database of its own that is
 * built and removed again. Prints the ratio of the times, and the memory that the SDK holds on the way.
 */
import { parseArgs } from 'node:util';
import type { Pool } from '../packages/server/src/db/connect.ts';
import { newId } from '../packages/server/src/db/ids.ts';
import { employeeRow } from '../packages/server/src/features/employees/mapping.ts';
import { newEmployee } from '../packages/server/src/features/employees/rules.ts';
import { insertEmployees } from '../packages/server/src/features/employees/store.ts';
import { runAtClock } from '../packages/server/src/write/run-at-clock.ts';
import { operator } from '../packages/server/src/write/writes.ts';
import { Kontor } from '../packages/sdk/src/index.ts';
import { describeMachine, openFresh } from './fresh-service.ts';
import { createKey } from './keys.ts';

const { values: options } = parseArgs({
  options: { employees: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '7' } },
});
const employeeCount = Number(options.employees);
const pageSize = 1000;

await using fresh = await openFresh('sdk');
const { database, organization, tenant } = fresh;
for (let first = 0; first < employeeCount; first += pageSize)
  await insertPage(database.writes, organization, tenant, first);
const key = await createKey(fresh.dataDirectory, organization);
await measure((await fresh.start()).baseUrl, key);

async function insertPage(db: Pool, organization: string, tenant: string, first: number): Promise<void> {
  const rows = Array.from({ length: Math.min(pageSize, employeeCount - first) }, (_, offset) => {
    const n = first + offset;
    const person = {
      firstName: 'Änne',
      lastName: `Müller ${n}`,
      email: `sdk.${n}@example.com`,
      city: 'Bonn',
    };
    return employeeRow(newId(), newEmployee(person, { tenant, divisionId: null }));
  });
  await runAtClock(db, organization, operator, write => insertEmployees(rows.map(row => ({ write, row }))));
}

async function measure(baseUrl: string, apiKey: string): Promise<void> {
  const kontor = new Kontor({ baseUrl, apiKey });
  let highest = 0;
  const bySdk = async () => {
    let count = 0;
    for await (const { id } of kontor.employees.list({ pageSize })) {
      if (id !== '') count++;
      if (count % 10_000 === 0) highest = Math.max(highest, heapAfterCollection());
    }
    return count;
  };
  const byFetch = async () => {
    let count = 0;
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = await fetch(`${baseUrl}/employees?page=${page}&pageSize=${pageSize}`, {
        headers: { 'X-API-Key': apiKey },
      });
      const list = (await answer.json()) as { items: { id: string }[]; totalPages: number };
      for (const { id } of list.items) if (id !== '') count++;
      pages = list.totalPages;
      if (count % 10_000 === 0) heapAfterCollection();
    }
    return count;
  };
  await timeOf(byFetch);
  await timeOf(bySdk);
  const start = heapAfterCollection();
  highest = 0;
  const ratios: number[] = [];
  const times: [sdk: number, fetch: number][] = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    const isFirst = round % 2 === 0;
    const early = await timeOf(isFirst ? bySdk : byFetch);
    const late = await timeOf(isFirst ? byFetch : bySdk);
    const [sdk, bare] = isFirst ? [early, late] : [late, early];
    ratios.push(sdk / bare);
    times.push([sdk, bare]);
  }
  console.log(`${describeMachine()}; ${employeeCount} employees`);
  console.log(`SDK: median ${median(times.map(([sdk]) => sdk)).toFixed(2)} s`);
  console.log(`fetch: median ${median(times.map(([, bare]) => bare)).toFixed(2)} s`);
  console.log(
    `SDK ÷ fetch: median ${median(ratios).toFixed(3)} of ${ratios.map(ratio => ratio.toFixed(2)).join(', ')}`,
  );
  const growth = (heapAfterCollection() - start) / 2 ** 20;
  console.log(
    `heap: ${(start / 2 ** 20).toFixed(1)} MiB before, at most ${(highest / 2 ** 20).toFixed(1)} MiB within a list, ${growth.toFixed(1)} MiB more at the end`,
  );
}

async function timeOf(list: () => Promise<number>): Promise<number> {
  const start = performance.now();
  const count = await list();
  if (count !== employeeCount) throw new Error(`${count} employees were listed`);
  return (performance.now() - start) / 1000;
}

/** The heap without garbage, in bytes. */
function heapAfterCollection(): number {
  if (globalThis.gc === undefined) throw new Error('run it with node --expose-gc');
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
