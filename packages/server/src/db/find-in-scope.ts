import type { Scope } from '../auth/scope.ts';
import type { Pool } from './pool.ts';
import { scopePredicateOfOne } from '../auth/scope-predicate.ts';
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

/** Statements that are under way at once; what comes meanwhile waits for one of them and is the next. */
const maxUnderWay = 2;

/** Most rows that are looked up by one statement. */
const maxTogether = 50;

interface Waiting {
  readonly id: string;
  readonly resolve: (found: string | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks rows up by their identifiers. Those that are asked for while others are being read are read together by the next statement:
 * it is never one that was sent before somebody asked, so everybody sees what was committed by then.
 */
export class SharedLookups {
  readonly #read: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  #waiting: Waiting[] = [];
  #underWay = 0;

  /** `read` looks up those that there are, in one statement. */
  constructor(read: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>) {
    this.#read = read;
  }

  /** What there is of this identifier; null for nothing. @throws those of the statement */
  find(id: string): Promise<string | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, resolve, reject });
      if (this.#underWay < maxUnderWay) void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    this.#underWay++;
    while (this.#waiting.length > 0) await this.#readTogether(this.#waiting.splice(0, maxTogether));
    this.#underWay--;
  }

  async #readTogether(asked: readonly Waiting[]): Promise<void> {
    try {
      const found = await this.#read([...new Set(asked.map(({ id }) => id))]);
      for (const { id, resolve } of asked) resolve(found.get(id) ?? null);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
