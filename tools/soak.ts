// npm run soak: one service under the mixed load of eight clients for 15 minutes (`--minutes N`, `--hour`). Its memory, handles and sessions
// must not grow: their slope over the second half, by least squares, has a bound. `--log FILE` keeps all samples.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startTestCluster } from '../packages/server/test/support/database/cluster.ts';
import { startServiceProcess, type ServiceProcess } from '../packages/server/test/support/service/kontor.ts';
import { Clients } from './failover/clients.ts';
import { query } from './failover/cluster.ts';
import { prepareOrganization } from './failover/services.ts';
import { variables } from './faults/kontor.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    hour: { type: 'boolean', default: false },
    log: { type: 'string' },
  },
});
const minutes = options.hour ? 60 : Number(options.minutes);

/**
 * Each measure of the service, in MB or a number, may grow by a part of its mean over the second half. `noise` is the part in the measured time.
 * Resident memory grows in steps of 10 MB, also while the heap stays the same.
 */
const measures = {
  'resident memory': { perHour: 0.25, noise: 0.15 },
  'heap after a collection': { perHour: 0.25, noise: 0.02 },
  'open handles': { perHour: 0.1, noise: 0.02 },
  'database sessions': { perHour: 0.1, noise: 0.02 },
} as const;
type Measure = keyof typeof measures;
type Sample = Readonly<Record<Measure | 'minute', number>>;

/** Milliseconds between two samples. */
const interval = 5_000;

const megabyte = 1024 * 1024;

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());

async function takeSample(
  { pid, ask }: ServiceProcess,
  databaseUrl: string,
  minute: number,
): Promise<Sample> {
  const heap = (await ask('heap')) as number;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [row] = await query<{ sessions: number }>(
    databaseUrl,
    "SELECT count(*)::int AS sessions FROM pg_stat_activity WHERE application_name = 'kontor service'",
  );
  return {
    minute,
    'resident memory': (Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) * 1024) / megabyte,
    'heap after a collection': heap / megabyte,
    'open handles': readdirSync(`/proc/${pid}/fd`).length,
    'database sessions': row!.sessions,
  };
}

/** Growth for each unit of the first value, by least squares. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const sum = (of: (x: number, y: number) => number) =>
    points.reduce((total, [x, y]) => total + of(x - meanX, y - meanY), 0);
  return sum((x, y) => x * y) / sum(x => x * x);
}

/** Prints how a measure has developed. @returns whether it grows */
function report(name: Measure, samples: readonly Sample[]): boolean {
  const half = samples.slice(Math.floor(samples.length / 2));
  const values = half.map(sample => sample[name]);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const perHour = 60 * slopeOf(half.map(sample => [sample.minute, sample[name]]));
  const added = (perHour / 60) * (half.at(-1)!.minute - half[0]!.minute);
  const bound = measures[name];
  const grows = perHour > bound.perHour * mean && added > bound.noise * mean;
  const cells = [samples[0]![name], mean, Math.max(...values), perHour].map(value =>
    value.toFixed(1).padStart(11),
  );
  console.log(`${name.padEnd(24)}${cells.join('')}  ${grows ? 'GROWS' : 'flat'}`);
  return grows;
}

async function soak(): Promise<void> {
  await using started = new AsyncDisposableStack();
  const cluster = await startTestCluster();
  started.defer(() => cluster.stop());
  const environment = { folder: cluster.data, databaseUrl: cluster.url };
  const preload = import.meta.resolve('./failover/heap.ts');
  const service = await startServiceProcess({ variables: variables(environment), preload });
  started.defer(() => service.end('SIGTERM'));
  const setup = await prepareOrganization(environment, [`${service.url}/v1`, `${service.url}/v1`]);
  const clients = started.use(new Clients(setup));
  const samples: Sample[] = [];
  const begun = performance.now();
  const minute = () => (performance.now() - begun) / 60_000;
  while (minute() < minutes && !stopping.signal.aborted) {
    await delay(interval, null, { signal: stopping.signal }).catch(() => {});
    samples.push(await takeSample(service, cluster.url, minute()));
    if (options.log !== undefined)
      writeFileSync(options.log, samples.map(one => `${JSON.stringify(one)}\n`).join(''));
  }
  const { acknowledged, unavailable, unexpected } = clients.take();
  const failed = [...unexpected, ...(unavailable > 0 ? [`${unavailable} times 503 or no answer`] : [])];
  console.log(
    `${samples.length} samples in ${minute().toFixed(1)} minutes, ${acknowledged.length} incidents created`,
  );
  console.log(
    `${''.padEnd(24)}${['first', 'mean', 'most', 'per hour'].map(name => name.padStart(11)).join('')}`,
  );
  const growing = (Object.keys(measures) as Measure[]).filter(name => report(name, samples));
  for (const text of failed) console.log(`failed: ${text}`);
  if (growing.length > 0 || failed.length > 0 || samples.length < 4) process.exitCode = 1;
}

await soak();
