// npm run failover: the drill of an operator, in about eight minutes. Three PostgreSQL servers under Patroni with synchronous replication, etcd and
// HAProxy, two services, and eight clients, through six faults. Prints what each fault cost the clients. Fails when an acknowledged
// write is lost, a write with an Idempotency-Key is stored twice, or a read is stale for too long. `--only NAME` runs one fault (or several,
// separated by commas). `--all` runs each five times, and continues where the last `--all` was stopped; `--anew` begins it again.
// It needs Python, and the packages etcd-server, haproxy and postgresql-15 of Debian.
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cache } from './clients/sandbox.ts';
import { Clients, type Seen } from './failover/clients.ts';
import { type Cluster, findMissing, query, startCluster } from './failover/cluster.ts';
import { before, faults, RouteWatch } from './failover/faults.ts';
import { type Service, startServices } from './failover/services.ts';

/** Milliseconds in which a read may be stale after the new primary can be reached. */
const staleBound = 3_000;

/** Milliseconds of a fault with its recovery, and of all of them, before the drill is given up. */
const timeouts = { fault: 150_000, drill: 14 * 60_000 };

const runs = 5;

/** Results of `--all`, one in each line. */
const resultsFile = path.join(cache, 'failover.jsonl');

interface Result {
  readonly fault: string;
  readonly created: number;
  /** Answers of 503, or none. */
  readonly unavailable: number;
  /** The longest time without an acknowledged create, in milliseconds. */
  readonly gap: number;
  readonly lost: number;
  readonly duplicates: number;
  readonly stale: number;
  /** Milliseconds from the instant at which the new primary could be reached to the last stale read. */
  readonly staleFor: number;
  readonly unexpected: readonly string[];
}

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, all: { type: 'boolean' }, anew: { type: 'boolean' } },
});

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => stopping.abort(new Error('stopped')));

/** The work, or the reason for which the drill is stopped. */
async function untilStopped<T>(work: Promise<T>, timeout: number, name: string): Promise<T> {
  const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeout)]);
  const stopped = Promise.withResolvers<never>();
  signal.addEventListener('abort', () =>
    stopped.reject(stopping.signal.aborted ? stopping.signal.reason : new Error(`${name} took too long`)),
  );
  return Promise.race([work, stopped.promise]);
}

function chooseFaults(): string[] {
  const known = Object.keys(faults);
  const chosen = options.only?.split(',') ?? known;
  const unknown = chosen.filter(name => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no fault ${unknown.join(', ')}; there are ${known.join(', ')}`);
  if (!options.all) return chosen;
  if (options.anew) rmSync(resultsFile, { force: true });
  const done = readResults();
  return Array.from({ length: runs }).flatMap((_, run) =>
    chosen.filter(name => done.filter(({ fault }) => fault === name).length <= run),
  );
}

function readResults(): Result[] {
  const lines = existsSync(resultsFile) ? readFileSync(resultsFile, 'utf8').trim().split('\n') : [];
  return lines.filter(line => line !== '').map(line => JSON.parse(line) as Result);
}

async function runFault(
  name: string,
  services: readonly Service[],
  cluster: Cluster,
  clients: Clients,
): Promise<Result> {
  const roles = await cluster.healthy(timeouts.fault);
  await clients.untilSuccess();
  clients.take();
  const begun = performance.now();
  const route = new RouteWatch(cluster, roles.leader);
  await delay(before);
  await faults[name]!({ ...roles, services });
  await cluster.healthy(timeouts.fault);
  await clients.untilSuccess();
  await delay(before);
  await route.stop();
  const seen = clients.take();
  const { lost, duplicates } = await compare(cluster, seen);
  const instants = [begun, ...seen.successes, performance.now()];
  return {
    fault: name,
    created: seen.acknowledged.length,
    unavailable: seen.unavailable,
    gap: Math.max(...instants.slice(1).map((at, n) => at - instants[n]!)),
    lost,
    duplicates,
    stale: seen.stale.length,
    staleFor: seen.stale.length === 0 ? 0 : seen.stale.at(-1)! - (route.changedAt ?? begun),
    unexpected: [...seen.unexpected],
  };
}

/** Compares what was acknowledged with what the primary has. */
async function compare({ url }: Cluster, { acknowledged, keyed }: Seen) {
  const stored = await query<{ id: string }>(url, 'SELECT id FROM incident WHERE id = ANY($1)', [
    acknowledged,
  ]);
  const twice = await query(
    url,
    'SELECT FROM incident WHERE folded_description = ANY($1) GROUP BY folded_description HAVING count(*) > 1',
    [keyed],
  );
  return { lost: acknowledged.length - stored.length, duplicates: twice.length };
}

const isGood = ({ lost, duplicates, staleFor, unexpected }: Result) =>
  lost === 0 && duplicates === 0 && staleFor <= staleBound && unexpected.length === 0;

const columns = ['created', '503', 'down s', 'lost', 'twice', 'stale', 'stale s', ''];
const line = (name: string, cells: readonly string[]) =>
  name.padEnd(16) + cells.map(cell => cell.padStart(9)).join('');
const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1);

function lineOf(result: Result): string {
  const { created, unavailable, gap, lost, duplicates, stale, staleFor } = result;
  const counts = [created, unavailable, seconds(gap), lost, duplicates, stale, seconds(staleFor)];
  return line(result.fault, [...counts.map(String), isGood(result) ? 'good' : 'BAD']);
}

async function drill(results: Result[]): Promise<void> {
  const chosen = chooseFaults();
  const missing = findMissing();
  if (missing.length > 0) throw new Error(`install what is missing: apt-get install ${missing.join(' ')}`);
  console.log('Patroni, etcd, HAProxy and two services are started …');
  await using cluster = await startCluster(stopping.signal);
  await using setup = await startServices({ folder: cluster.folder, databaseUrl: cluster.url }, [
    'first',
    'second',
  ]);
  await using clients = new Clients(setup);
  console.log(line('fault', columns));
  for (const name of chosen) {
    const result = await untilStopped(
      runFault(name, setup.services, cluster, clients),
      timeouts.fault * 2,
      name,
    );
    results.push(result);
    if (options.all) appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
    console.log(lineOf(result));
    for (const text of result.unexpected) console.log(`  unexpected: ${text}`);
  }
}

const results: Result[] = [];
const limit = setTimeout(() => stopping.abort(new Error('the drill took too long')), timeouts.drill);
await drill(results).catch((error: Error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
});
clearTimeout(limit);
const all = options.all ? readResults() : results;
const bad = all.filter(result => !isGood(result));
console.log(
  `${all.length} faults: ${all.length - bad.length} good, ${bad.length} bad. Down: the longest time without an acknowledged create.` +
    ` Stale: reads without what was acknowledged before, and until when after the new primary could be reached (at most ${staleBound / 1_000} s)`,
);
if (bad.length > 0) process.exitCode = 1;
