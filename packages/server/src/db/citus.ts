import { OperatorError } from '../lib/operator-error.ts';
import type { Queryable } from './session.ts';
import { type Fragment, raw, sql } from './sql.ts';

/** Tables that every node has a copy of. They have no organization, or serve to find it. */
export const referenceTables: readonly string[] = [
  'setting',
  'migration',
  'key_organization',
  'platform_token',
  'portal_email',
  'portal_identity',
  'portal_credential',
];

export async function isDistributed(db: Queryable): Promise<boolean> {
  if (!(await hasCitus(db))) return false;
  const [found] = await db.rows<{ distributed: boolean }>(sql`
    SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('organization')) AS distributed`);
  return found!.distributed;
}

async function hasCitus(db: Queryable): Promise<boolean> {
  return (await db.run(sql`SELECT FROM pg_extension WHERE extname = 'citus'`)) > 0;
}

/** @throws {@link OperatorError} when there is no cluster to distribute tables over */
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

/** Settings of a transaction that changes distributed tables: shard by shard, with its lock timeout applied on every node. */
export const onEveryNode: Fragment = raw(
  `SET LOCAL citus.multi_shard_modify_mode = 'sequential'; SET LOCAL citus.propagate_set_commands = 'local'`,
);

interface PlainTable {
  readonly name: string;
  /** The tables to distribute first: the targets of its foreign keys, and `organization`. */
  readonly references: readonly string[];
}

/**
 * Distributes all tables of Kontor that are not distributed yet, with their rows, in the caller's transaction. Returns their names.
 * `organization` is distributed by its id, its tables by `organization_id`; all rows of an organization share a node. {@link referenceTables}
 * are copied to all nodes. Other tables of the database stay local. Until the commit these tables can be read but not written.
 */
export async function distributeTables(db: Queryable): Promise<string[]> {
  let waiting = await findPlainTables(db);
  const names: string[] = [];
  while (waiting.length > 0) {
    // The target of a foreign key must be distributed first.
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

async function findPlainTables(db: Queryable): Promise<PlainTable[]> {
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

/** Tables whose rows from before the distribution still occupy disk space on the coordinator. */
export async function findTablesWithRemains(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(sql`
    SELECT logicalrelid::text AS name FROM pg_dist_partition
    WHERE pg_relation_size(logicalrelid) > 0 ORDER BY name`);
  return rows.map(row => row.name);
}

/**
 * Settings of a session. The limits of a transaction apply on all nodes.
 * Generic plans are off on a cluster: a coordinator cannot plan INSERT … SELECT without the values.
 */
export function sessionSettings(plans: 'force_generic_plan' | 'auto'): Fragment {
  return sql`set_config('citus.propagate_set_commands', 'local', false),
    set_config('plan_cache_mode', CASE WHEN current_setting('citus.version', true) IS NULL THEN ${plans}::text ELSE 'auto' END, false)`;
}
