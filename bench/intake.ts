/**
 * `node bench/intake.ts`: 100,000 orders through the platform API, in batches of 1,000 by two clients, on an embedded database of its own
 * that is built and removed again. Says how long that took, how the memory of the service went meanwhile, and how long others waited.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '../packages/server/src/db/connect.ts';
import { migrate } from '../packages/server/src/db/migrate.ts';
import { createOrganization, createTenant } from '../packages/server/src/features/organizations/store.ts';
import { readCoreTime } from './core-time.ts';
import { hire } from './resource-types.ts';
import { runKontor } from './keys.ts';

const { values: options } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000' },
    products: { type: 'string', default: '1' },
    clients: { type: 'string', default: '2' },
  },
});
const orders = Number(options.orders);
const products = Number(options.products);
const clients = Number(options.clients);
const lines = 1000;

const folder = await mkdtemp(join(tmpdir(), 'kontor-intake-'));
const dataDirectory = join(folder, 'data');
const database = await openDatabase({ dataDirectory, owner: 'service', poolSize: 4 });
let child: ChildProcess | undefined;
try {
  await migrate(database);
  const organization = await createOrganization(database.writes, 'bench intake');
  const tenant = await createTenant(database.writes, organization, 'Intake GmbH');
  const employees = await hire(database.writes, organization, tenant);
  const token = await createToken();
  child = spawn(process.execPath, [join(import.meta.dirname, '../packages/server/bin/kontor.js'), 'serve'], {
    env: { ...process.env, KONTOR_DATA_DIR: dataDirectory, PORT: '18200', MANAGEMENT_PORT: '18201' },
    stdio: 'ignore',
  });
  await waitUntilAnswering('http://127.0.0.1:18201/readyz');
  await takeIn({
    url: `http://127.0.0.1:18201/platform/v1/organizations/${organization}/order-batches`,
    token,
    employees,
    pid: child.pid!,
  });
} finally {
  if (child && child.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await database.close();
  await rm(folder, { recursive: true });
}

async function createToken(): Promise<string> {
  const permissions = ['--permission', 'order-intakes:write'];
  const { token } = await runKontor([
    'platform-token',
    'create',
    '--name',
    'bench',
    '--all',
    ...permissions,
    '--data-dir',
    dataDirectory,
  ]);
  return String(token);
}

async function waitUntilAnswering(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await setTimeout(50);
  }
}

interface Target {
  readonly url: string;
  readonly token: string;
  readonly employees: readonly string[];
  readonly pid: number;
}

async function takeIn(target: Target): Promise<void> {
  const bodies = Array.from({ length: orders / lines }, (_, n) => batchOf(n, target.employees));
  const memory: number[] = [];
  const waits: number[] = [];
  const stop = new AbortController();
  const watching = [sample(memory, target.pid, stop.signal), wait(waits, stop.signal)];
  const before = readCoreTime([target.pid]);
  const startedAt = performance.now();
  let next = 0;
  const client = async () => {
    while (next < bodies.length) await send(target, bodies[next++]!);
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - startedAt) / 1000;
  stop.abort();
  await Promise.all(watching);
  report({ seconds, memory, waits, core: readCoreTime([target.pid]) - before, bytes: bodies[0]!.length });
}

async function send({ url, token }: Target, body: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body });
  const { items } = (await answer.json()) as { items?: { status: number }[] };
  const taken = items?.filter(({ status }) => status === 201).length ?? 0;
  if (taken !== lines) throw new Error(`of a batch ${taken} were taken in; it was answered ${answer.status}`);
}

/** Notes the memory of the service, in MiB, four times a second. Linux only. */
async function sample(memory: number[], pid: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    memory.push(Number(resident) / 1024);
    await setTimeout(250);
  }
}

/** Notes how long a request that needs no database takes meanwhile, in milliseconds. */
async function wait(waits: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    await (await fetch('http://127.0.0.1:18201/livez')).text();
    waits.push(performance.now() - startedAt);
    await setTimeout(20);
  }
}

function batchOf(batch: number, employees: readonly string[]): string {
  const items = Array.from({ length: lines }, (_, line) => intakeOf(batch * lines + line, employees));
  return JSON.stringify({ items });
}

function intakeOf(n: number, employees: readonly string[]) {
  const product = {
    model: 'Nox Cycles Helium 5.9 All Mountain',
    vatRate: '19.00',
    manufacturerName: 'Nox Cycles',
    articleGroupName: 'E-Bike',
    grossAmount: '3599.00',
    netAmount: '3024.3697',
    service: 'Jährliche Inspektion',
    grossService: '119.00',
    netService: '100.00',
  };
  const contract = {
    termMonths: 36,
    currency: 'EUR',
    listPrice: '3599.00',
    purchasePrice: '3419.05',
    leasingRate: '98.10',
    leasingRateSubsidy: '20.00',
    insuranceRate: '9.90',
    insuranceRateSubsidy: '9.90',
    serviceRate: '5.00',
    serviceRateSubsidy: '0.00',
  };
  return {
    externalId: `shop-2026-${n}`,
    orderNumber: `A-2026-${n}`,
    employeeId: employees[n % employees.length],
    products: Array.from({ length: products }, () => product),
    contract,
    submittedAt: '2026-09-02T08:15:30.123Z',
  };
}

function report({
  seconds,
  memory,
  waits,
  core,
  bytes,
}: {
  seconds: number;
  memory: number[];
  waits: number[];
  core: number;
  bytes: number;
}): void {
  const sorted = waits.toSorted((one, other) => one - other);
  const part = (share: number) => Math.round(memory[Math.floor(share * (memory.length - 1))]!);
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model ?? 'cores'}, Node ${process.version}
${orders} orders of ${products} products in batches of ${lines} (${Math.round(bytes / 1024)} KiB), ${clients} clients
${seconds.toFixed(1)} s, ${Math.round(orders / seconds)} orders a second; ${(core / orders).toFixed(2)} ms of the service's core for each
memory of the service, MiB: ${part(0)} at the start, ${part(0.25)}, ${part(0.5)}, ${part(0.75)} on the way, ${part(1)} at the end, ${Math.round(Math.max(...memory))} at most
a request beside: p50 ${sorted[Math.floor(sorted.length / 2)]!.toFixed(1)} ms, p99 ${sorted[Math.floor(sorted.length * 0.99)]!.toFixed(1)} ms, longest ${sorted.at(-1)!.toFixed(1)} ms`,
  );
}
