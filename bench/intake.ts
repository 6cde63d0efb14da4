/**
 * `node bench/intake.ts`: 100,000 orders through the platform API, in batches of 1,000 by two clients, on an embedded database of its own
 * that is built and removed again. Says how long that took, how the memory of the service went meanwhile, and how long others waited.
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { describeMachine, openFresh } from './fresh-service.ts';
import { readCoreTime, recordMemory } from './processes.ts';
import { contract, hire, product } from './resource-types.ts';
import { createToken } from './keys.ts';

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

await using fresh = await openFresh('intake');
const { database, organization, tenant } = fresh;
const employees = await hire(database.writes, organization, tenant);
const token = await createToken(fresh.dataDirectory, ['order-intakes:write']);
const { managementUrl, pid } = await fresh.start();
await takeIn({
  url: `${managementUrl}/platform/v1/organizations/${organization}/order-batches`,
  token,
  employees,
  pid,
});

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
  const watching = [recordMemory(memory, target.pid, stop.signal), wait(waits, stop.signal)];
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

/** Notes how long a request that needs no database takes meanwhile, in milliseconds. */
async function wait(waits: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    await (await fetch(`${managementUrl}/livez`)).text();
    waits.push(performance.now() - startedAt);
    await setTimeout(20);
  }
}

function batchOf(batch: number, employees: readonly string[]): string {
  const items = Array.from({ length: lines }, (_, line) => intakeOf(batch * lines + line, employees));
  return JSON.stringify({ items });
}

function intakeOf(n: number, employees: readonly string[]) {
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
    `${describeMachine()}
${orders} orders of ${products} products in batches of ${lines} (${Math.round(bytes / 1024)} KiB), ${clients} clients
${seconds.toFixed(1)} s, ${Math.round(orders / seconds)} orders a second; ${(core / orders).toFixed(2)} ms of the service's core for each
memory of the service, MiB: ${part(0)} at the start, ${part(0.25)}, ${part(0.5)}, ${part(0.75)} on the way, ${part(1)} at the end, ${Math.round(Math.max(...memory))} at most
a request beside: p50 ${sorted[Math.floor(sorted.length / 2)]!.toFixed(1)} ms, p99 ${sorted[Math.floor(sorted.length * 0.99)]!.toFixed(1)} ms, longest ${sorted.at(-1)!.toFixed(1)} ms`,
  );
}
