import type { Scope } from '../auth/scope.ts';
import type { Pool } from './pool.ts';
import { scopePredicateOfOne } from '../auth/scope-predicate.ts';
import type { Queryable } from './session.ts';
import { SharedLookups } from './shared-lookups.ts';
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
  { id, ...place }: Wanted,
  columns: Fragment,
): Promise<Row | null> {
  const [row] = await db.rows<Row>(sql`${selection(place, columns)} AND id = ${id}`);
  return row ?? null;
}

/** The stored document of a row in scope; null when there is no such row or the key may not see it. */
export async function readDocument(db: Pool, { id, ...place }: Wanted): Promise<string | null> {
  return lookupsOf(db, place).find(id);
}

type Place = Omit<Wanted, 'id'>;

function selection({ table, scope, tenant }: Place, columns: Fragment): Fragment {
  return sql`SELECT ${columns} FROM ${raw(table)} WHERE ${scopePredicateOfOne(scope, tenant)}`;
}

/** Lookups that may be made together. A scope is one object as long as nothing in it changes. */
const lookups = new WeakMap<Pool, WeakMap<Scope, Map<string, SharedLookups>>>();

function lookupsOf(db: Pool, place: Place): SharedLookups {
  const ofPool = lookups.get(db) ?? new WeakMap<Scope, Map<string, SharedLookups>>();
  const ofScope = ofPool.get(place.scope) ?? new Map<string, SharedLookups>();
  const name = `${place.table} ${place.tenant ?? ''}`;
  const found = ofScope.get(name) ?? new SharedLookups(ids => readDocuments(db, place, ids));
  lookups.set(db, ofPool);
  ofPool.set(place.scope, ofScope);
  ofScope.set(name, found);
  return found;
}

async function readDocuments(db: Pool, place: Place, ids: readonly string[]): Promise<Map<string, string>> {
  const which = ids.length === 1 ? sql`id = ${ids[0]}` : sql`id = ANY(${[...ids]}::text[])`;
  const rows = await db.arrays<string>(sql`${selection(place, sql`id, doc`)} AND ${which}`);
  return new Map(rows.map(([id, doc]) => [id!, doc!]));
}
