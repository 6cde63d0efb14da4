import type { Scope } from '../scope.ts';
import type { Pool } from './pool.ts';
import { scopePredicateOfOne } from './scope-predicate.ts';
import type { Queryable } from './session.ts';
import { type Fragment, raw, sql } from './sql.ts';

/** Which row of a table: one that the key may see, of the selected tenant when there is one. */
export interface Wanted {
  readonly table: string;
  readonly scope: Scope;
  readonly tenant: string | null;
  readonly id: string;
}

/** The columns of a row in scope; null when there is no such row or the key may not see it. */
export async function findInScope<Row extends object>(
  db: Queryable,
  wanted: Wanted,
  columns: Fragment,
): Promise<Row | null> {
  const [row] = await db.rows<Row>(selection(wanted, columns));
  return row ?? null;
}

/** The stored document of a row in scope; null when there is no such row or the key may not see it. */
export async function readDocument(db: Pool, wanted: Wanted): Promise<string | null> {
  const [row] = await db.arrays<string>(selection(wanted, sql`doc`));
  return row ? row[0]! : null;
}

function selection({ table, scope, tenant, id }: Wanted, columns: Fragment): Fragment {
  return sql`SELECT ${columns} FROM ${raw(table)} WHERE ${scopePredicateOfOne(scope, tenant)} AND id = ${id}`;
}
