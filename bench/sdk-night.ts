/**
 * `node bench/sdk-night.ts`: creates 10,000 employees with the SDK and its defaults, eight at a time, on the default quota (600 requests a
 * minute). Another program reads once a second with the same key and does not wait. It takes 17 minutes, on an embedded database of its
 * own that is removed again. Prints how the creates ended, and how the requests were spread.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { openDatabase } from '../packages/server/src/db/connect.ts';
import { migrate } from '../packages/server/src/db/migrate.ts';
import { createOrganization, createTenant } from '../packages/server/src/features/organizations/store.ts';
import { Kontor, KontorError, WriteOutcomeUnknown } from '../packages/sdk/src/index.ts';
import { createKey } from './keys.ts';

const { values: options } = parseArgs({
  options: { creates: { type: 'string', default: '10000' }, workers: { type: 'string', default: '8' } },
});
const creates = Number(options.creates);

const folder = await mkdtemp(join(tmpdir(), 'kontor-night-'));
const dataDirectory = join(folder, 'data');
const database = await openDatabase({ dataDirectory, owner: 'service', poolSize: 4 });
let child: ChildProcess | undefined;
try {
  await migrate(database);
  const organization = await createOrganization(database.writes, 'night');
  const tenant = await createTenant(database.writes, organization, 'Nacht GmbH');
  const apiKey = await createKey(dataDirectory, organization, '600/60');
  const program = join(import.meta.dirname, '../packages/server/bin/kontor.js');
  child = spawn(process.execPath, [program, 'serve', '--json'], {
    env: { ...process.env, KONTOR_DATA_DIR: dataDirectory, PORT: '0', MANAGEMENT_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
  const { baseUrl } = JSON.parse(line) as { baseUrl: string };
  await measure(baseUrl, apiKey, tenant);
} finally {
  if (child && child.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await database.close();
  await rm(folder, { recursive: true });
}

async function measure(baseUrl: string, apiKey: string, tenant: string): Promise<void> {
  const sentAt: number[] = [];
  const statuses = new Map<number, number>();
  const kontor = new Kontor({
    baseUrl,
    apiKey,
    tenant,
    hooks: {
      onRequest: () => void sentAt.push(performance.now()),
      onResponse: ({ status }) => void statuses.set(status, (statuses.get(status) ?? 0) + 1),
    },
  });
  const other = { answered: 0, rejected: 0 };
  const poll = setInterval(() => {
    const headers = { 'X-API-Key': apiKey };
    const count = ({ status }: Response) => other[status === 200 ? 'answered' : 'rejected']++;
    void fetch(`${baseUrl}/divisions?pageSize=1`, { headers }).then(count);
  }, 1000);
  const ended = { created: 0, unknown: 0, failed: 0 };
  const numbers = Array.from({ length: creates }, (_, number) => number).values();
  const work = async () => {
    for (const number of numbers)
      try {
        const body = { email: `night.${number}@example.com`, firstName: 'Änne', lastName: `Nacht ${number}` };
        await kontor.employees.create(body);
        ended.created++;
      } catch (error) {
        if (error instanceof WriteOutcomeUnknown) ended.unknown++;
        else ended.failed++;
        console.error(error instanceof KontorError ? error.message : error);
      }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: Number(options.workers) }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(poll);
  const gaps = sentAt
    .slice(1)
    .map((at, index) => at - sentAt[index]!)
    .toSorted((a, b) => a - b);
  const perSlice = new Map<number, number>();
  for (const at of sentAt) {
    const slice = Math.floor((at - startedAt) / 10_000);
    perSlice.set(slice, (perSlice.get(slice) ?? 0) + 1);
  }
  console.log(`${seconds.toFixed(1)} s: ${JSON.stringify(ended)}`);
  console.log(`answers by status: ${JSON.stringify(Object.fromEntries(statuses))}`);
  console.log(`another program with the key, once a second: ${JSON.stringify(other)}`);
  const at = (part: number) => (gaps[Math.floor((gaps.length - 1) * part)] ?? 0).toFixed(0);
  console.log(`gap between requests in ms: median ${at(0.5)}, 99 % ${at(0.99)}, largest ${at(1)}`);
  console.log(`requests in each 10 s: ${[...perSlice.values()].join(' ')}`);
}
