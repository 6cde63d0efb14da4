import assert from 'node:assert/strict';
import type { Sql } from '../support/database/sql.ts';

/** Where the rows of an organization are. */
interface Place {
  readonly shard: string;
  readonly host: string;
  readonly port: number;
}

/** The node that has the rows of the organization, and their shard. */
export async function placeOf(sql: Sql, organizationId: string): Promise<Place> {
  const [place] = await sql<Place[]>`
    SELECT shardid AS shard, nodename AS host, nodeport AS port
    FROM pg_dist_shard_placement
    WHERE shardid = get_shard_id_for_distribution_column('organization', ${organizationId}::text)`;
  return place!;
}

/**
 * Moves the rows of the organization, and those that share its shard, to another node, as a rebalance does.
 * First it removes what an earlier move has left: while statements still read that, Citus cannot, and rejects the move.
 */
export async function moveOrganization(sql: Sql, organizationId: string): Promise<void> {
  while ((await sql`SELECT FROM pg_dist_cleanup LIMIT 1`).length > 0)
    await sql`CALL citus_cleanup_orphaned_resources()`;
  const from = await placeOf(sql, organizationId);
  const [to] = await sql<Place[]>`
    SELECT nodename AS host, nodeport AS port FROM pg_dist_node
    WHERE shouldhaveshards AND (nodename, nodeport) <> (${from.host}, ${from.port}::int) LIMIT 1`;
  await sql`
    SELECT citus_move_shard_placement(${from.shard}::bigint, ${from.host}, ${from.port}::int, ${to!.host}, ${to!.port}::int)`;
  assert.notEqual((await placeOf(sql, organizationId)).port, from.port);
}

/** How many shards of tables that belong to organizations a node has. */
export async function shardsAt(sql: Sql, { port }: { readonly port: number }): Promise<number> {
  const [found] = await sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM citus_shards
    WHERE citus_table_type = 'distributed' AND nodeport = ${port}::int`;
  return found!.n;
}
