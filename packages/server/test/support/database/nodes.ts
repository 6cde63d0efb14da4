import { connect, type DatabaseTarget } from '../../../src/db/connect.ts';
import { raw, sql } from '../../../src/db/sql.ts';
import { ofTest } from './sent-statements.ts';
import { withDatabase } from './target-url.ts';

/** A server that databases of tests are made on. */
export interface Node {
  readonly host: string;
  readonly port: number;
  readonly target: DatabaseTarget;
}

/** The coordinator and the workers of its Citus cluster; `null` of any other server. */
export async function clusterOf(target: DatabaseTarget): Promise<readonly Node[] | null> {
  if (!('url' in target)) return null;
  const { hostname, port } = new URL(target.url);
  const found = await select<{ exists: boolean }>(
    target,
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS exists`,
  );
  if (!found[0]!.exists) return null;
  const workers = await select<{ host: string; port: number }>(
    target,
    'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid > 0 ORDER BY nodeid',
  );
  const nodes = [{ host: hostname, port: Number(port) }, ...workers];
  return nodes.map(({ host, port }) => {
    const url = new URL(target.url);
    url.host = `${host}:${port}`;
    return { host, port, target: { url: url.href } };
  });
}

/** Joins databases of one name, which each node has, to a cluster of a few shards: all workers, or some. */
export async function joinDatabases(
  nodes: readonly Node[],
  name: string,
  workers: readonly Node[] = nodes.slice(1),
): Promise<void> {
  const [coordinator] = nodes;
  for (const { target } of nodes) await select(withDatabase(target, name), 'CREATE EXTENSION citus');
  const target = withDatabase(coordinator!.target, name);
  await select(target, `ALTER DATABASE "${name}" SET citus.shard_count = 4`);
  await select(target, `SELECT citus_set_coordinator_host('${coordinator!.host}', ${coordinator!.port})`);
  for (const { host, port } of workers) await select(target, `SELECT citus_add_node('${host}', ${port})`);
}

async function select<Row extends object>(target: DatabaseTarget, text: string): Promise<Row[]> {
  const database = connect(target, { poolSize: 1 });
  try {
    return await database.writes.rows<Row>(ofTest(sql`${raw(text)}`));
  } finally {
    await database.close();
  }
}
