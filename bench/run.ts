/**
 * `npm run bench`: Kontor beside its ceilings, in one run, on one database. Needs wrk (Debian: apt-get install wrk).
 * The database stays in bench/.data, so that only the first run builds it. With `--against <checkout>`, the service of
 * another checkout (installed, of the same schema) runs on the same database, and each row is measured on both, interleaved. With
 * `--traces <share>`, the service sends traces of that share of the requests, and the other one is the same without traces.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '../packages/server/src/db/connect.ts';
import { migrate } from '../packages/server/src/db/migrate.ts';
import { sql } from '../packages/server/src/db/sql.ts';
import { targetUrl } from '../packages/server/test/support/database/target-url.ts';
import { interleave, middle, type Run, shareOf } from './interleaved.ts';
import { type Case, cases } from './cases.ts';
import { resourceTypeCases, populateResourceTypes } from './resource-types.ts';
import { readCoreTime } from './processes.ts';
import { createKeys } from './keys.ts';
import { type Notice, measureNeighbour } from './neighbour.ts';
import { type Population, populate, removeCreated, vacuum } from './seed.ts';
import { startTrickle } from './trickle.ts';
import { measureAllPages, measureCatchUp } from './whole-reads.ts';
import { type Load, load } from './wrk.ts';

const { values: options } = parseArgs({
  options: {
    employees: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '12' },
    clients: { type: 'string', default: '64' },
    only: { type: 'string' },
    against: { type: 'string' },
    traces: { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const clients = Number(options.clients);
const dataDirectory = join(import.meta.dirname, '.data');
const ownCheckout = join(import.meta.dirname, '..');
const against = options.against ?? (options.traces && ownCheckout);

/** A row of the table: ours, and the same of the other checkout. */
interface Row {
  readonly own: Case;
  readonly rival: Case | undefined;
}

const folder = await mkdtemp(join(tmpdir(), 'kontor-bench-'));
// The service logs every request, as it does by default; the file is looked at when something fails.
const errors = openSync(join(folder, 'servers.log'), 'w');
const children: ChildProcess[] = [];
/** They by their addresses. */
const processes = new Map<string, ChildProcess>();
const database = await openDatabase({ dataDirectory, owner: 'service', poolSize: 4 });
try {
  await migrate(database);
  const population = await populate(database.writes, Number(options.employees));
  await removeCreated(database.writes, population);
  await vacuum(database.writes);
  const keys = await createKeys(dataDirectory, population);
  const ceiling = await start(join(import.meta.dirname, 'ceilings.ts'), {
    BENCH_DATABASE: await targetUrl(database.target),
  });
  const service = await serve(ownCheckout, options.traces === undefined ? {} : tracesOf(options.traces));
  const rival = against === undefined ? undefined : await serve(resolve(against));
  const ids = await sampleIds(population);
  const testData = { population, keys, ids, last: await findLastRow(population), service, ceiling };
  printHead();
  const employeeRows = rows(at => cases({ ...testData, service: at }));
  const lookup = employeeRows.find(({ own }) => own.name === 'get by id')?.own;
  for (const row of employeeRows) await report(row, row.own.comparesWithLookup ? lookup : undefined);
  if (isSelected('all pages'))
    await reportWhole('all pages', measureAllPages, 'under 10 s; page 990 at most 1.2 × page 1');
  if (isSelected('catching up')) await reportWhole('catching up', measureCatchUp, 'under 15 s');
  if (isSelected('neighbour')) await reportNeighbour();
  // Other resource types are built for each run, which takes a while: not when only measurements of employees are chosen.
  if (
    options.only === undefined ||
    (employeeRows.length === 0 && !['all pages', 'catching up', 'neighbour'].some(isSelected))
  ) {
    const resourceTypes = await populateResourceTypes(
      database.writes,
      dataDirectory,
      rival === undefined ? 40_000 : 100_000,
    );
    for (const row of rows(at => resourceTypeCases(resourceTypes, at, ceiling))) await report(row);
  }

  /** The rows that were asked for, each with the same of the other checkout. */
  function rows(casesAt: (at: string) => Case[]): Row[] {
    const theirs = rival === undefined ? [] : casesAt(rival);
    return casesAt(service)
      .map((own, index) => ({ own, rival: theirs[index] }))
      .filter(({ own }) => isSelected(own.name));
  }

  async function report({ own, rival: theirs }: Row, lookup?: Case): Promise<void> {
    const ceiling = own.ceiling;
    const runs: (Run | undefined)[] = [
      time => measure(own, time),
      ceiling && (time => load(folder, ceiling, clients, time)),
      theirs && (time => measure(theirs, time)),
      lookup && (time => measure(lookup, time)),
    ];
    await waitUntilSettled();
    const measured = (
      await interleave(
        runs.filter(run => run !== undefined),
        seconds,
      )
    ).values();
    const [ours, base, other, first] = runs.map(run => (run ? measured.next().value : undefined));
    printRow(own, { ours: ours!, base, other, lookup: first });
  }

  async function measure(one: Case, time: number): Promise<Load> {
    await waitUntilSettled();
    const stop = one.underWrites
      ? startTrickle(new URL(one.kontor.url).origin, keys.all, population)
      : undefined;
    const process = processes.get(new URL(one.kontor.url).origin)!.pid!;
    const used = readCoreTime([process]);
    const result = await load(folder, one.kontor, clients, time);
    const milliseconds = readCoreTime([process]) - used;
    await stop?.();
    return { ...result, core: (milliseconds * 1000) / (result.perSecond * time) };
  }

  /** Reads of everything by one client, which take seconds: one of each, and one of the other checkout. */
  async function reportWhole(name: string, measure: typeof measureAllPages, goal: string): Promise<void> {
    const theirs = rival === undefined ? undefined : await measure(rival, keys.all);
    const { pages, seconds, first, late } = await measure(service, keys.all);
    const more = theirs ? ` theirs ${theirs.seconds.toFixed(1)} s |` : '';
    console.log(
      `| ${name}, ${pages} pages of 1000 | ${seconds.toFixed(1)} s | | first pages ${first.toFixed(1)} ms | page 990 ${late.toFixed(1)} ms | | | ${goal} |${more}`,
    );
  }

  async function reportNeighbour(): Promise<void> {
    const measured = await measureNeighbour(service, { noisy: keys.all, other: keys.others[1]! }, seconds);
    const row = (name: string, { perSecond, p50, p99 }: Notice, goal: string) =>
      console.log(
        `| ${name} | ${Math.round(perSecond)} | | ${p50.toFixed(1)} | ${p99.toFixed(1)} | | | ${goal} |`,
      );
    row('neighbour: list 10 of another organization, 4 clients', measured.quiet, '');
    row('neighbour, beside one key at its worst', measured.loaded, 'p99 at most 3 × that without the noise');
  }
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(
    children.map(child => new Promise(done => (child.exitCode === null ? child.on('exit', done) : done(0)))),
  );
  await database.close();
  await rm(folder, { recursive: true });
}

/** Waits until the database has ended what the clients of the case before no longer wait for. */
async function waitUntilSettled(): Promise<void> {
  for (;;) {
    const busy = await database.writes.run(sql`
      SELECT FROM pg_stat_activity WHERE state = 'active' AND backend_type <> 'walsender' AND pid <> pg_backend_pid()`);
    if (busy === 0) return;
    await setTimeout(100);
  }
}

function isSelected(name: string): boolean {
  return options.only === undefined || new RegExp(options.only).test(name);
}

/** Starts a server on a free port and waits until it accepts requests. */
async function start(
  file: string,
  environment: Record<string, string>,
  args: string[] = [],
): Promise<string> {
  const port = 18_000 + children.length;
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...environment, BENCH_PORT: String(port), PORT: String(port) },
    stdio: ['ignore', 'ignore', errors],
  });
  const url = `http://127.0.0.1:${port}`;
  children.push(child);
  processes.set(url, child);
  const deadline = Date.now() + 30_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`);
    const answers = await fetch(`${url}/v1/health`).then(
      () => true,
      () => false,
    );
    if (answers) return url;
    if (Date.now() > deadline) throw new Error(`${file} does not answer on ${url}`);
    await setTimeout(50);
  }
}

/** Starts the service of a checkout on the database of the benchmark. */
function serve(checkout: string, more: Record<string, string> = {}): Promise<string> {
  const environment = { KONTOR_DATA_DIR: dataDirectory, MANAGEMENT_PORT: String(18_090 + children.length) };
  return start(join(checkout, 'packages/server/bin/kontor.js'), { ...environment, ...more }, ['serve']);
}

/** The variables for traces of this share of the requests, and a collector that discards them. */
function tracesOf(sampled: string): Record<string, string> {
  const port = 18_080;
  createServer((request, response) => request.resume().on('end', () => response.end()))
    .listen(port, '127.0.0.1')
    .unref();
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: sampled,
  };
}

async function sampleIds(population: Population): Promise<{ id: string; email: string }[]> {
  return database.writes.rows(sql`
    SELECT id, email_key AS email FROM employee TABLESAMPLE SYSTEM (30)
    WHERE organization_id = ${population.organization} LIMIT 60000`);
}

/** The row that a poller of the whole organization has seen last. */
async function findLastRow({ organization }: Population): Promise<{ at: string; id: string }> {
  const [row] = await database.writes.rows<{ at: Date; id: string }>(sql`
    SELECT updated_at AS at, id FROM employee WHERE organization_id = ${organization}
    ORDER BY updated_at DESC, id DESC LIMIT 1`);
  return { at: row!.at.toISOString(), id: row!.id };
}

function printHead(): void {
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model ?? 'cores'}, Node ${process.version}, ${options.employees} employees, ${clients} clients, ${seconds} s a row\n`,
  );
  const more = against === undefined ? '' : ' of the other checkout |';
  console.log(
    `| case | requests/s | MiB/s | p50 ms | p99 ms | of its ceiling | p99 of the ceiling | to reach |${more}`,
  );
  console.log(`| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |${more && ' ---: |'}`);
}

/** The slices of a row: ours, its ceiling, the other checkout, and get by id where that is what it is compared with. */
interface Measured {
  readonly ours: readonly Load[];
  readonly base: readonly Load[] | undefined;
  readonly other: readonly Load[] | undefined;
  readonly lookup: readonly Load[] | undefined;
}

function printRow({ name, goal }: Case, { ours, base, other, lookup }: Measured): void {
  const own = middle(ours);
  const cells = [
    name +
      failed('', own) +
      failed('ceiling: ', base && middle(base)) +
      failed('other: ', other && middle(other)),
    Math.round(own.perSecond),
    own.mebibytes.toFixed(1),
    own.p50.toFixed(1),
    own.p99.toFixed(1),
    base ? share(ours, base) : lookup ? share(ours, lookup) : '',
    base ? middle(base).p99.toFixed(1) : '',
    goal,
  ];
  if (other) {
    const { p99, core } = middle(other);
    cells.push(
      `${share(ours, other)}, p99 ${p99.toFixed(1)}, core time a request ${own.core!.toFixed(0)} µs of ${core!.toFixed(0)}`,
    );
  }
  console.log(`| ${cells.join(' | ')} |`);
}

function share(own: readonly Load[], others: readonly Load[]): string {
  return `${Math.round(100 * shareOf(own, others))} % of ${Math.round(middle(others).perSecond)}`;
}

function failed(of: string, load: Load | undefined): string {
  return load && load.failures > 0 ? ` **${of}${load.failures} failed**` : '';
}
