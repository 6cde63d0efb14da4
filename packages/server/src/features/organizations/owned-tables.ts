import type { Queryable } from '../../db/session.ts';
import { empty, type Fragment, identifier, join, raw, sql } from '../../db/sql.ts';

/** A reference of a table to itself, such as a division to the one above it. */
interface OwnReference {
  readonly columns: readonly string[];
  readonly targets: readonly string[];
}

/** A table with rows of organizations, as the catalogue of the database has it. */
export interface OwnedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that name its rows, besides the organization: of its primary key, else those that are never null. */
  readonly key: readonly string[];
  /** Other tables that its foreign keys refer to. */
  readonly references: readonly string[];
  readonly ownReferences: readonly OwnReference[];
}

/**
 * All tables with a column `organization_id`, those first that others do not refer to, so that their rows can be deleted in this order.
 * A new table is one of them without being named anywhere.
 */
export async function readOwnedTables(db: Queryable): Promise<OwnedTable[]> {
  const names = (columns: string) => sql`(
    SELECT json_agg(a.attname ORDER BY k.n) FROM unnest(${raw(columns)}) WITH ORDINALITY AS k (attnum, n)
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum)`;
  const waiting = await db.rows<OwnedTable>(sql`
    SELECT c.relname AS name,
      (SELECT json_agg(attname ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns,
      (SELECT coalesce(json_agg(a.attname ORDER BY a.attnum), '[]') FROM pg_attribute a
        LEFT JOIN pg_constraint p ON p.conrelid = c.oid AND p.contype = 'p'
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'organization_id'
          AND CASE WHEN p.oid IS NULL THEN a.attnotnull ELSE a.attnum = ANY(p.conkey) END) AS key,
      (SELECT coalesce(json_agg(DISTINCT t.relname), '[]') FROM pg_constraint f JOIN pg_class t ON t.oid = f.confrelid
        WHERE f.contype = 'f' AND f.conrelid = c.oid AND f.confrelid <> c.oid) AS references,
      (SELECT coalesce(json_agg(json_build_object('columns', ${names('f.conkey')}, 'targets', ${names('f.confkey')})), '[]')
        FROM pg_constraint f WHERE f.contype = 'f' AND f.conrelid = c.oid AND f.confrelid = c.oid) AS "ownReferences"
    FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'organization_id' AND NOT attisdropped)
    ORDER BY c.relname`);
  return inOrder(waiting);
}

/** @throws Error for tables that refer to each other */
function inOrder(tables: readonly OwnedTable[]): OwnedTable[] {
  const ordered: OwnedTable[] = [];
  let waiting = tables;
  while (waiting.length > 0) {
    const isTarget = ({ name }: OwnedTable) => waiting.some(({ references }) => references.includes(name));
    const free = waiting.filter(table => !isTarget(table));
    if (free.length === 0)
      throw new Error(`tables refer to each other: ${waiting.map(({ name }) => name).join(', ')}`);
    ordered.push(...free);
    waiting = waiting.filter(isTarget);
  }
  return ordered;
}

export async function countRows(
  db: Queryable,
  { name }: OwnedTable,
  organizationId: string,
): Promise<number> {
  const [row] = await db.rows<{ n: number }>(sql`
    SELECT count(*)::float8 AS n FROM ${identifier(name)} WHERE organization_id = ${organizationId}`);
  return row!.n;
}

/**
 * Deletes rows of an organization, at most `max` where their key tells them apart. Rows that others of the table refer to wait. The order is
 * always the same, since each node of a cluster deletes its own copy of a reference table.
 */
export function deletionStatement(
  { name, key, ownReferences }: OwnedTable,
  organizationId: string,
  max: number,
): Fragment {
  const table = identifier(name);
  if (key.length === 0) return sql`DELETE FROM ${table} WHERE organization_id = ${organizationId}`;
  const keys = join(key.map(identifier));
  const isReferredTo = ({ columns, targets }: OwnReference) => {
    const pairs = columns.map(
      (column, index) => sql`below.${identifier(column)} = chosen.${identifier(targets[index]!)}`,
    );
    return sql` AND NOT EXISTS (
        SELECT FROM ${table} AS below WHERE below.organization_id = ${organizationId} AND ${join(pairs, ' AND ')})`;
  };
  const leaves = ownReferences.length === 0 ? empty : join(ownReferences.map(isReferredTo), '');
  return sql`
    DELETE FROM ${table} WHERE organization_id = ${organizationId} AND (${keys}) IN (
      SELECT ${keys} FROM ${table} AS chosen WHERE organization_id = ${organizationId}${leaves}
      ORDER BY ${keys} LIMIT ${max}::int)`;
}
