import type { Scope } from '../scope.ts';
import { Parameters } from './parameters.ts';
import { scopePredicate } from './scope-predicate.ts';
import type { Statements } from './transaction.ts';

/** Which row of a table: one that the key may see, of the selected tenant when there is one. */
export interface Wanted {
  readonly table: string;
  readonly scope: Scope;
  readonly tenant: string | null;
  readonly id: string;
}

/**
 * A row in scope, as a write starts from it; null when there is none or the key may not see it. `columns` answers what to
 * select, and adds its parameters.
 */
export async function findInScope<Row extends object>(
  sql: Statements,
  { table, scope, tenant, id }: Wanted,
  columns: (parameters: Parameters) => string,
): Promise<Row | null> {
  const parameters = new Parameters();
  const visible = scopePredicate(scope, tenant, parameters);
  const text = `SELECT ${columns(parameters)} FROM ${table} WHERE ${visible} AND id = ${parameters.add(id)}`;
  const [row] = await sql.unsafe<Row[]>(text, parameters.values as never[], { prepare: true });
  return row ?? null;
}
