import type { Scope } from './scope.ts';
import type { Pool } from '../db/pool.ts';
import { scopePredicateOfOne } from './scope-predicate.ts';
import type { Queryable } from '../db/session.ts';
import { type Fragment, raw, sql } from '../db/sql.ts';

/** A row that the key has access to, within the selected tenant if there is one. */
export interface Wanted {
  readonly table: string;
  readonly scope: Scope;
  readonly tenant: string | null;
  readonly id: string;
}

/** The columns of a row; null when there is no such row or the key has no access to it. */
export async function findInScope<Row extends object>(
  db: Queryable,
  wanted: Wanted,
  columns: Fragment,
): Promise<Row | null> {
  const [row] = await db.rows<Row>(statementOf(wanted, columns));
  return row ?? null;
}

/** The stored document of a row; null when there is no such row or the key has no access to it. */
export async function readDocument(db: Pool, wanted: Wanted): Promise<string | null> {
  const [row] = await db.arrays<string>(statementOf(wanted, raw('doc')));
  return row?.[0] ?? null;
}

function statementOf({ table, scope, tenant, id }: Wanted, columns: Fragment): Fragment {
  return sql`SELECT ${columns} FROM ${raw(table)} WHERE ${scopePredicateOfOne(scope, tenant)} AND id = ${id}`;
}
