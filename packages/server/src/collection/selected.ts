import type { Filter } from '@kontor/contract';
import type { Parameters } from '../database/parameters.ts';
import { scopePredicate, subtree } from '../database/scope-predicate.ts';
import type { Scope } from '../scope.ts';
import { compileFilter } from './compile.ts';
import type { ScopeShape } from './scope-shape.ts';
import type { CollectionTable } from './table.ts';

/** What a list selects: the rows that a scope shows and a filter matches. */
export interface Selection {
  readonly table: CollectionTable;
  readonly scope: Scope;
  readonly tenant: string | null;
  readonly shape: ScopeShape;
  readonly filter: Filter | null;
}

/** A statement with its values. The text holds nothing of the request but names of columns and whole numbers. */
export interface Built {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The predicate of a selected row. `narrow` adds what lets the trigram index find the rows. */
export function predicate(selection: Selection, parameters: Parameters, narrow: boolean): string {
  const { scope, tenant, table, filter } = selection;
  const visible = scopePredicate(scope, tenant, parameters);
  if (filter === null) return visible;
  return `${visible} AND ${compileFilter(filter, table, parameters, { narrow })}`;
}

/** Tenants or divisions, as a query of one column, and the column that holds them. */
export interface Scopes {
  readonly query: string;
  readonly column: 'tenant_id' | 'division_id';
}

/** Something for the granted tenants and for the granted divisions with all below them, which overlap nowhere. */
export function armsOf(
  { shape, scope }: Selection,
  each: (scopes: Scopes) => string,
  parameters: Parameters,
): string[] {
  const arms: string[] = [];
  if (shape.tenants.length > 0 || shape.divisions.length === 0) {
    const query = `SELECT unnest(${parameters.add(shape.tenants, 'text[]')})`;
    arms.push(each({ query, column: 'tenant_id' }));
  }
  if (shape.divisions.length > 0)
    arms.push(each({ query: subtree(scope, shape.divisions, parameters), column: 'division_id' }));
  return arms;
}

/** The predicate of a selected row of one arm, `arm.scope`. */
export function armPredicate(
  { column }: Scopes,
  { table, scope, filter }: Selection,
  parameters: Parameters,
): string {
  const arm = `organization_id = ${parameters.add(scope.organizationId)} AND ${column} = arm.scope`;
  return filter === null ? arm : `${arm} AND ${compileFilter(filter, table, parameters, { narrow: false })}`;
}

export function union(branches: readonly string[]): string {
  return branches.length === 1 ? branches[0]! : branches.map(branch => `(${branch})`).join(' UNION ALL ');
}
