import type { Scope } from '../scope.ts';
import type { Sql } from './connect.ts';
import { Parameters } from './parameters.ts';
import { scopePredicate } from './scope-predicate.ts';

/**
 * The stored document of a row in scope, as the bytes that go over the wire; null when there is none or the key may not see
 * it. `table` has the columns of a collection (see collection/table.ts).
 */
export async function readDocument(
  sql: Sql,
  table: string,
  scope: Scope,
  tenant: string | null,
  id: string,
): Promise<Buffer | null> {
  const parameters = new Parameters();
  const visible = scopePredicate(scope, tenant, parameters);
  const text = `SELECT doc FROM ${table} WHERE ${visible} AND id = ${parameters.add(id)}`;
  const rows = await sql.unsafe(text, parameters.values as never[], { prepare: true }).raw();
  return rows[0]?.[0] ?? null;
}
