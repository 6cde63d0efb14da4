import { distribute } from '../packages/server/src/db/migrate.ts';
// node bench/cluster.ts: what a Citus cluster costs. Lists, lookups, polls and creates on a coordinator and two workers, by turns with
// the same on one PostgreSQL 15 (a plain database of the same coordinator), all on this machine: a floor, not a gain; `node bench/cluster.ts
// list` those cases only whose names match. Then creates with
// one worker and with two, and lookups with one process and with two. Needs wrk and what `npm run test:citus` needs. Durability is off on
// both, since it is in that cluster. Prints tables in Markdown.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { startCitus } from '../tools/citus/cluster.ts';
import { connect } from '../packages/server/src/db/connect.ts';
import { raw, sql } from '../packages/server/src/db/sql.ts';
import { withDatabase } from '../packages/server/src/db/open-session.ts';
import {
  measureOne,
  cells,
  compare,
  type Comparison,
  loops,
  type Measured,
  type Place,
} from './cluster-measure.ts';
import { creates, employees, createSide, organizations, reads, serve, type Side } from './cluster-sides.ts';
import type { Target } from './wrk.ts';

/** What reads must reach on the cluster, of PostgreSQL by itself. */
const toReach: Readonly<Record<string, string>> = {
  'list 100': 'at least 50 %',
  'get by id': 'at least 50 %',
};

/** Which of the cases. */
const only = new RegExp(process.argv[2] ?? '');

const manyCreates = `create, ${organizations} organizations`;

async function compareSides(place: Place, plain: Side, citus: Side): Promise<void> {
  const all = (side: Side): Record<string, () => Target> => ({
    ...reads(side),
    'create, one organization': () => creates(side, side.keys.slice(0, 1)),
    [manyCreates]: () => creates(side, side.keys),
  });
  const contender = (side: Side, name: string) => ({ side, target: () => all(side)[name]!() });
  const measured: ({ name: string } & Comparison)[] = [];
  for (const name of Object.keys(all(plain)).filter(name => only.test(name)))
    measured.push({ name, ...(await compare(place, contender(plain, name), contender(citus, name))) });
  printTable(
    [
      'case',
      'PostgreSQL, requests/s',
      'p50 ms',
      'p99 ms',
      'Citus, requests/s',
      'p50 ms',
      'p99 ms',
      'share',
      'to reach',
    ],
    measured.map(({ name, one, other, share }) => [
      name,
      ...cells(one),
      ...cells(other),
      `${Math.round(100 * share)} %`,
      toReach[name] ?? '',
    ]),
  );
  const spent = ({ serviceTime, databaseTime }: Measured) => [
    serviceTime.toFixed(2),
    databaseTime.toFixed(2),
  ];
  printTable(
    ['core ms a request', 'service, on PostgreSQL', 'PostgreSQL', 'service, on Citus', 'all nodes of Citus'],
    measured.map(({ name, one, other }) => [name, ...spent(one), ...spent(other)]),
  );
}

/** Creates with the rows on one worker, and on both. */
async function compareWorkers(place: Place, side: Side): Promise<void> {
  const { writes } = side.database;
  const [second] = await writes.rows<{ host: string; port: number }>(
    sql`SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE shouldhaveshards ORDER BY nodeid DESC LIMIT 1`,
  );
  const { host, port } = second!;
  const toOne = () => writes.run(sql`SELECT citus_drain_node(${host}, ${port}::int, 'block_writes')`);
  const toBoth = async () => {
    await writes.run(sql`SELECT citus_set_node_property(${host}, ${port}::int, 'shouldhaveshards', true)`);
    await writes.run(sql`SELECT rebalance_table_shards(${raw("shard_transfer_mode => 'block_writes'")})`);
  };
  const contender = { side, target: () => creates(side, side.keys) };
  await toOne();
  const one = await measureOne(place, contender);
  await toBoth();
  const both = await measureOne(place, contender);
  printTable(
    [manyCreates, 'requests/s', 'p50 ms', 'p99 ms'],
    [
      ['one worker', ...cells(one)],
      ['two workers', ...cells(both)],
    ],
  );
}

/** Lookups with one process of the service on PostgreSQL, and with two. */
async function compareProcesses(place: Place, one: Side): Promise<void> {
  const two = { ...one };
  const stop = await serve(two, 2);
  try {
    for (const name of ['get by id', 'list 100']) {
      const contender = (side: Side) => ({ side, target: () => reads(side)[name]!() });
      const both = await compare(place, contender(one), contender(two));
      printTable(
        [`${name}, PostgreSQL`, 'requests/s', 'p50 ms', 'p99 ms'],
        [
          ['one process', ...cells(both.one)],
          ['two processes', ...cells(both.other)],
        ],
      );
    }
  } finally {
    await stop();
  }
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (each: readonly string[]) => `| ${each.join(' | ')} |`;
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  console.log(`\n${[head, rule, ...rows].map(line).join('\n')}`);
}

const folder = await mkdtemp(path.join(tmpdir(), 'kontor-bench-'));
const cluster = await startCitus();
const stops: (() => Promise<unknown>)[] = [];
try {
  const began = loadavg()[0]!;
  const pidOf = (node: number) =>
    Number(readFileSync(path.join(cluster.folder, `node${node}/postmaster.pid`), 'utf8').split('\n')[0]);
  const place = { folder, servers: [0, 1, 2].map(pidOf) };
  const coordinator = connect({ url: cluster.url });
  stops.unshift(() => coordinator.close());
  await coordinator.writes.run(sql`CREATE DATABASE plain TEMPLATE template0 ENCODING 'UTF8'`);
  await coordinator.writes.run(sql`ALTER DATABASE kontor SET citus.shard_count = 16`);
  const { url } = withDatabase({ url: cluster.url }, 'plain') as { url: string };
  const sides = [await createSide(url), await createSide(cluster.url, distribute)] as const;
  for (const side of sides) {
    stops.unshift(() => side.database.close());
    await side.database.writes.run(sql`VACUUM ANALYZE`);
    stops.unshift(await serve(side));
  }
  const { model } = cpus()[0]!;
  console.log(
    `${cpus().length} × ${model}, Node ${process.version}, ${employees} employees in one organization`,
  );
  await compareSides(place, ...sides);
  if (process.argv[2] === undefined) {
    await compareWorkers(place, sides[1]);
    await compareProcesses(place, sides[0]);
  }
  console.log(`\nLoad of the machine before: ${began.toFixed(2)}. ${loops()}`);
} finally {
  for (const stop of stops) await stop();
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
}
