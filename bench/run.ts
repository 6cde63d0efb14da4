/**
 * `npm run bench`: Kontor beside its ceilings, in one run, on one database. Needs wrk (Debian: apt-get install wrk).
 * The database stays in bench/.data, so that only the first run builds it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '../packages/server/src/database/connect.ts';
import { migrate } from '../packages/server/src/database/migrate.ts';
import { sql } from '../packages/server/src/database/sql.ts';
import { targetUrl } from '../packages/server/src/database/target.ts';
import { type Case, cases } from './cases.ts';
import { familyCases, populateFamilies } from './families.ts';
import { createKeys } from './keys.ts';
import { noise } from './noise.ts';
import { type Population, populate, removeCreated, vacuum } from './seed.ts';
import { trickle } from './trickle.ts';
import { measureWalk } from './walk.ts';
import { type Load, load } from './wrk.ts';

const { values: options } = parseArgs({
  options: {
    employees: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '8' },
    clients: { type: 'string', default: '64' },
    only: { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const clients = Number(options.clients);
/** Seconds that are not counted: connections open, plans and machine code are made, and what is counted once is counted. */
const warmUp = 3;
const dataDirectory = join(import.meta.dirname, '.data');

const folder = await mkdtemp(join(tmpdir(), 'kontor-bench-'));
// The service logs every request, as it does by default; the file is looked at when something fails.
const errors = openSync(join(folder, 'servers.log'), 'w');
const children: ChildProcess[] = [];
const database = await openDatabase({ dataDirectory, owner: 'service', poolSize: 4 });
try {
  await migrate(database);
  const population = await populate(database.writes, Number(options.employees));
  await removeCreated(database.writes, population);
  await vacuum(database.writes);
  const keys = await createKeys(dataDirectory, population);
  const ceiling = await start('ceilings.ts', { BENCH_DATABASE: targetUrl(database.target) });
  const service = await start('../packages/server/bin/kontor.js', serviceEnvironment(), ['serve']);
  const ids = await sampleIds(population);
  const world = { population, keys, ids, last: await lastRow(population), service, ceiling };
  printHead();
  const employeeCases = cases(world).filter(one => selected(one.name));
  for (const one of employeeCases) await report(one);
  if (selected('walk')) await reportWalk();
  // The other families are built anew each time, which takes a while: not when only some of employees is asked for.
  if (options.only === undefined || (employeeCases.length === 0 && !selected('walk'))) {
    const families = await populateFamilies(database.writes, dataDirectory);
    for (const one of familyCases(families, service, ceiling)) if (selected(one.name)) await report(one);
  }

  async function report(one: Case): Promise<void> {
    const base = one.ceiling ? await load(folder, one.ceiling, clients, seconds) : undefined;
    await settled();
    await load(folder, one.kontor, clients, warmUp);
    const stop = meanwhile(one);
    const own = await load(folder, one.kontor, one.clients ?? clients, seconds);
    await stop?.();
    printRow(one.name, own, base, one.goal);
  }

  function meanwhile({ underWrites, besideNoise }: Case): (() => Promise<void>) | undefined {
    if (underWrites) return trickle(service, keys.all, population);
    return besideNoise ? noise(service, keys.all) : undefined;
  }

  async function reportWalk(): Promise<void> {
    const walk = await measureWalk(service, keys.all);
    console.log(
      `| whole walk, ${walk.pages} pages of 1000 | ${walk.seconds.toFixed(1)} s | | first pages ${walk.first.toFixed(1)} ms | page 990 ${walk.late.toFixed(1)} ms | | | under 10 s; page 990 at most 1.2 × page 1 |`,
    );
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
async function settled(): Promise<void> {
  for (;;) {
    const busy = await database.writes.run(sql`
      SELECT FROM pg_stat_activity WHERE state = 'active' AND backend_type <> 'walsender' AND pid <> pg_backend_pid()`);
    if (busy === 0) return;
    await setTimeout(100);
  }
}

function selected(name: string): boolean {
  return options.only === undefined || new RegExp(options.only).test(name);
}

/** Starts a server on a free port and waits until it accepts requests. */
async function start(
  file: string,
  environment: Record<string, string>,
  args: string[] = [],
): Promise<string> {
  const port = 18_000 + children.length;
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    env: { ...process.env, ...environment, BENCH_PORT: String(port), PORT: String(port) },
    stdio: ['ignore', 'ignore', errors],
  });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
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

function serviceEnvironment(): Record<string, string> {
  return { KONTOR_DATA_DIR: dataDirectory, MANAGEMENT_PORT: '18099' };
}

async function sampleIds(population: Population): Promise<{ id: string; email: string }[]> {
  return database.writes.rows(sql`
    SELECT id, email_key AS email FROM employee TABLESAMPLE SYSTEM (30)
    WHERE organization_id = ${population.organization} LIMIT 60000`);
}

/** The row that a poller of the whole organization has seen last. */
async function lastRow({ organization }: Population): Promise<{ at: string; id: string }> {
  const [row] = await database.writes.rows<{ at: Date; id: string }>(sql`
    SELECT updated_at AS at, id FROM employee WHERE organization_id = ${organization}
    ORDER BY updated_at DESC, id DESC LIMIT 1`);
  return { at: row!.at.toISOString(), id: row!.id };
}

function printHead(): void {
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model ?? 'cores'}, Node ${process.version}, ${options.employees} employees, ${clients} clients, ${seconds} s a row\n`,
  );
  console.log(
    '| case | requests/s | MiB/s | p50 ms | p99 ms | of its ceiling | p99 of the ceiling | to reach |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |');
}

function printRow(name: string, own: Load, base: Load | undefined, goal: string): void {
  const share = base
    ? `${Math.round((100 * own.perSecond) / base.perSecond)} % of ${Math.round(base.perSecond)}`
    : '';
  const failed =
    own.failures + (base?.failures ?? 0) > 0
      ? ` **${own.failures} failed, ceiling ${base?.failures ?? 0}**`
      : '';
  console.log(
    `| ${name} | ${Math.round(own.perSecond)}${failed} | ${own.mebibytes.toFixed(1)} | ${own.p50.toFixed(1)} | ${own.p99.toFixed(1)} | ${share} | ${base ? base.p99.toFixed(1) : ''} | ${goal} |`,
  );
}
