// node bench/cluster.ts: what a Citus cluster costs. Lists, lookups, polls and creates on a coordinator and two workers, by turns with
// the same on one PostgreSQL 15 (a plain database of the same coordinator), all on this machine: a floor, not a gain. Needs wrk and what
// `npm run test:citus` needs. Durability is off on both, since it is in that cluster. Prints a table in Markdown.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { startCitus } from '../tools/citus/cluster.ts';
import { createKey } from '../packages/server/src/commands/keys.ts';
import { connect, type Database } from '../packages/server/src/database/connect.ts';
import { distribute } from '../packages/server/src/database/distribute.ts';
import { migrate } from '../packages/server/src/database/migrate.ts';
import { raw, sql } from '../packages/server/src/database/sql.ts';
import { withDatabase } from '../packages/server/src/database/target.ts';
import { createOrganization, createTenant } from '../packages/server/src/features/organizations/store.ts';
import { storeEmployees } from '../packages/server/test/support/employees.ts';
import { load, type Target } from './wrk.ts';

const pepper = 'the pepper of the benchmark, no secret';
const organizations = 64;
/** Employees of the first organization, which is read. */
const employees = 20_000;
const clients = 32;
const seconds = 5;

interface Side {
  readonly name: string;
  readonly database: Database;
  readonly url: string;
  keys: string[];
  ids: string[];
  service: string;
}

async function populate(side: Side): Promise<void> {
  const { writes } = side.database;
  for (let n = 0; n < organizations; n++) {
    const organizationId = await createOrganization(writes, `Kunde ${n}`);
    const tenant = await createTenant(writes, organizationId, 'Kunde GmbH');
    const quota = { requests: 900_000_000, seconds: 60 };
    const grants = 'all' as const;
    const made = await createKey(writes, Buffer.from(pepper), { organizationId, name: 'b', quota, grants });
    side.keys.push(made.key);
    for (let left = n === 0 ? employees : 0; left > 0; left -= 1000) {
      const people = Array.from({ length: 1000 }, (_, i) => ({
        tenant,
        firstName: 'Maria',
        lastName: `Schulz ${i}`,
        street: 'Hauptstraße 1',
        postalCode: '10115',
        city: 'Berlin',
        countryCode: 'DE',
      }));
      side.ids.push(...(await storeEmployees(writes, organizationId, people)).map(({ id }) => id));
    }
  }
}

/** Runs the service on the database until it is stopped. */
async function serve(side: Side, folder: string): Promise<() => Promise<void>> {
  const program = path.join(import.meta.dirname, '../packages/server/bin/kontor.js');
  const child = spawn(process.execPath, [program, 'serve', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      DATABASE_URL: side.url,
      KONTOR_KEY_PEPPER: pepper,
      PORT: '0',
      MANAGEMENT_PORT: '0',
    },
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  side.service = (JSON.parse(line) as { baseUrl: string }).baseUrl;
  return async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
}

/** Every request of a round for another of these; `n` is the number of the request. */
const luaList = (name: string, values: readonly string[]) =>
  `local ${name} = { ${values.map(value => JSON.stringify(value)).join(', ')} }`;

let round = 0;

function cases(side: Side): Record<string, Target> {
  const headers = { 'X-API-Key': side.keys[0]! };
  const url = `${side.service}/employees`;
  const last = `updatedAt >= 2026-01-01T00:00:00.000Z AND updatedAt > 2999-01-01T00:00:00.000Z`;
  return {
    'list 100': { url, headers },
    'get by id': {
      url,
      headers,
      setup: luaList('ids', side.ids.slice(0, 2000)),
      request: `return "/v1/employees/" .. ids[n % #ids + 1]`,
    },
    'poll with nothing new': { url: `${url}?sort=updatedAt&filter=${encodeURIComponent(last)}`, headers },
    'create, one organization': creates(side, side.keys.slice(0, 1)),
    [`create, ${organizations} organizations`]: creates(side, side.keys),
  };
}

function creates(side: Side, keys: readonly string[]): Target {
  const tag = `b${round++}`;
  return {
    url: `${side.service}/employees`,
    setup: luaList('keys', keys),
    request: `return nil, '{"email":"${tag}.' .. n .. '@example.com","firstName":"A","lastName":"B"}',
      { ["X-API-Key"] = keys[n % #keys + 1], ["Content-Type"] = "application/json" }`,
  };
}

async function measure(folder: string, target: Target): Promise<string> {
  const { perSecond, p50, p99, failures } = await load(folder, target, clients, seconds);
  return `${Math.round(perSecond)} | ${p50.toFixed(1)} | ${p99.toFixed(1)}${failures > 0 ? ` (${failures} failed)` : ''}`;
}

async function side(name: string, url: string): Promise<Side> {
  const database = connect({ url });
  await migrate(database);
  return { name, database, url, keys: [], ids: [], service: '' };
}

const folder = await mkdtemp(path.join(tmpdir(), 'kontor-bench-'));
const cluster = await startCitus();
const stops: (() => Promise<void>)[] = [];
try {
  const coordinator = connect({ url: cluster.url });
  await coordinator.writes.run(sql`CREATE DATABASE plain TEMPLATE template0 ENCODING 'UTF8'`);
  const [second] = await coordinator.writes.rows<{ host: string; port: number }>(
    sql`SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE shouldhaveshards ORDER BY nodeid DESC LIMIT 1`,
  );
  const offer = (value: boolean) =>
    coordinator.writes.run(
      sql`SELECT citus_set_node_property(${second!.host}, ${second!.port}::int, 'shouldhaveshards', ${value})`,
    );
  await offer(false);
  await coordinator.writes.run(sql`ALTER DATABASE kontor SET citus.shard_count = 8`);
  const citus = await side('Citus', cluster.url);
  await distribute(citus.database);
  const plain = await side(
    'PostgreSQL',
    (withDatabase({ url: cluster.url }, 'plain') as { url: string }).url,
  );
  for (const one of [citus, plain]) {
    await populate(one);
    stops.push(await serve(one, folder));
  }
  const many = `create, ${organizations} organizations`;
  console.log(`| ${many}, one worker | | ${await measure(folder, cases(citus)[many]!)} |`);
  await offer(true);
  await coordinator.writes.run(
    sql`SELECT rebalance_table_shards(${raw(`shard_transfer_mode => 'block_writes'`)})`,
  );
  for (const name of Object.keys(cases(plain)))
    for (const one of [plain, citus])
      console.log(`| ${name} | ${one.name} | ${await measure(folder, cases(one)[name]!)} |`);
  await Promise.all([coordinator, citus.database, plain.database].map(database => database.close()));
} finally {
  await Promise.all(stops.map(stop => stop()));
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
}
