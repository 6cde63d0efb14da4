import type pg from 'pg';
import { OperatorError } from '../lib/operator-error.ts';
import type { Queryable } from './session.ts';
import { type Fragment, raw, sql } from './sql.ts';

/** Tables without an organization, or that tell one, which every node has a copy of. */
export const referenceTables: readonly string[] = [
  'setting',
  'migration',
  'key_organization',
  'platform_token',
  'portal_email',
  'portal_identity',
  'portal_credential',
];

/** Whether the tables of this database are distributed over the nodes of a Citus cluster. */
export async function isDistributed(db: Queryable): Promise<boolean> {
  if (!(await hasCitus(db))) return false;
  const [found] = await db.rows<{ distributed: boolean }>(sql`
    SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('organization')) AS distributed`);
  return found!.distributed;
}

async function hasCitus(db: Queryable): Promise<boolean> {
  return (await db.run(sql`SELECT FROM pg_extension WHERE extname = 'citus'`)) > 0;
}

/** @throws {@link OperatorError} where there is no cluster to distribute tables over. */
export async function checkCluster(db: Queryable): Promise<void> {
  if (!(await hasCitus(db)))
    throw new OperatorError(
      'This database has no Citus: run CREATE EXTENSION citus in it on every node, then citus_add_node on this one (docs/scaling.md)',
    );
  if ((await db.run(sql`SELECT FROM pg_dist_node WHERE shouldhaveshards AND isactive`)) === 0)
    throw new OperatorError(
      'No node of the cluster takes shards: add one with citus_add_node (docs/scaling.md)',
    );
}

/** How a transaction changes the tables of a cluster: shard by shard, and with its limit of waiting on every node. */
export const onEveryNode: Fragment = raw(
  `SET LOCAL citus.multi_shard_modify_mode = 'sequential'; SET LOCAL citus.propagate_set_commands = 'local'`,
);

/** A table that is not distributed yet. */
interface PlainTable {
  readonly name: string;
  /** The tables that must be distributed before it: those that its foreign keys name, and `organization`. */
  readonly references: readonly string[];
}

/**
 * Distributes every table of Kontor that is not yet, with its rows, in the transaction of the caller, and returns their names:
 * `organization` by its identifier and whatever belongs to one by `organization_id`, all rows of an organization on one
 * node; {@link referenceTables} to all nodes. Tables of others in the database stay as they are. Until the commit all may read these tables and
 * nobody may write them.
 */
export async function distributeTables(db: Queryable): Promise<string[]> {
  let waiting = await plainTables(db);
  const names: string[] = [];
  while (waiting.length > 0) {
    // What a foreign key names goes first.
    const isFree = ({ references }: PlainTable) =>
      references.every(name => !waiting.some(table => table.name === name));
    for (const { name } of waiting.filter(isFree)) {
      await db.run(distributing(name));
      names.push(name);
    }
    waiting = waiting.filter(table => !isFree(table));
  }
  return names;
}

async function plainTables(db: Queryable): Promise<PlainTable[]> {
  return db.rows<PlainTable>(sql`
    SELECT c.relname AS name, ARRAY(
      SELECT confrelid::regclass::text FROM pg_constraint WHERE contype = 'f' AND conrelid = c.oid
      UNION SELECT 'organization' EXCEPT SELECT c.relname) AS references
    FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
      AND (c.relname = 'organization' OR c.relname = ANY(${[...referenceTables]}::text[]) OR EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'organization_id'))
      AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = c.oid)
    ORDER BY c.relname`);
}

function distributing(name: string): Fragment {
  if (referenceTables.includes(name)) return sql`SELECT create_reference_table(${name})`;
  if (name === 'organization')
    return sql`SELECT create_distributed_table('organization', 'id', colocate_with => 'none')`;
  return sql`SELECT create_distributed_table(${name}, 'organization_id', colocate_with => 'organization')`;
}

/** The tables whose rows from before they were distributed still take room on the disk of the coordinator. */
export async function tablesWithRemains(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(sql`
    SELECT logicalrelid::text AS name FROM pg_dist_partition
    WHERE pg_relation_size(logicalrelid) > 0 ORDER BY name`);
  return rows.map(row => row.name);
}

/*
 * What a coordinator says when it has lost another node of its cluster. These are names of functions of Citus, which no language
 * translates.
 */

/** Pass on what became of a node (remote_commands.c). */
const nodeReporters = new Set(['ReportConnectionError', 'ReportResultError']);

/** Whether an error about a connection is about that of the coordinator to a node, and not about ours. */
export function isNodeConnection({ severity, routine = '' }: pg.DatabaseError): boolean {
  // Any other error that ends no session; of one in another language than English our own counts as lost, which only costs more.
  return severity === 'ERROR' || nodeReporters.has(routine);
}

/** Whether a node was lost while it committed (placement_connection.c). Its SQLSTATE means nothing. */
export function isLostInCommit({ routine }: pg.DatabaseError): boolean {
  return routine === 'ErrorIfPostCommitFailedShardPlacements';
}

/** Whether a node has rejected rows that the coordinator copies to it, as it does for INSERT … SELECT. */
export function isCopyReport({ routine }: pg.DatabaseError): boolean {
  return routine === 'ReportCopyError';
}

/** The constraint in the message of a node: the last name in it, with the number of the shard. */
export function constraintOfNode({ message }: pg.DatabaseError): string | undefined {
  return [...message.matchAll(/(\w+)_\d+\b/g)].at(-1)?.[1];
}

/** Whether this function warns that a node may not have committed. */
export function isCommitWarning(routine: string): boolean {
  return nodeReporters.has(routine) || routine === 'FinishRemoteTransactionCommit';
}

/** Settings of each session: limits of a transaction hold on all nodes. A coordinator cannot plan INSERT … SELECT without the values. */
export function sessionSettings(plans: 'force_generic_plan' | 'auto'): Fragment {
  return sql`set_config('citus.propagate_set_commands', 'local', false),
    set_config('plan_cache_mode', CASE WHEN current_setting('citus.version', true) IS NULL THEN ${plans}::text ELSE 'auto' END, false)`;
}
