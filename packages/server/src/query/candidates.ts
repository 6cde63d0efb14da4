import { scopePredicate } from '../auth/scope-predicate.ts';
import { allOf, type Fragment, raw, sql } from '../db/sql.ts';
import { hidden } from '../db/values.ts';
import { type Bound, isLookup } from './bound.ts';
import { compileFilter, resolveField, valuesOf } from './compile.ts';
import { sqlTypes } from './literals.ts';
import { type Order, orderOf } from './order.ts';
import type { Selection } from './selection.ts';
import { fieldsOf } from './whole-filter.ts';

/** The few rows that an index finds for a bound of the filter, which all else is then looked at in. */
export interface Candidates {
  /** What selects them: one more than the most that count as few, if there are so many. */
  readonly select: Fragment;
  /** Which of them the list has; null: all. */
  readonly selected: Fragment | null;
}

/**
 * The candidates for a list in this order. Neither text nor plan depends on the values, since the planner does not see those of
 * the bound: it is planned once. To set the plan up takes longer than to run it for a few rows, so it has few parts.
 */
export function candidatesOf(selection: Selection, bound: Bound, order: Order, most: number): Candidates {
  const { table, scope, tenant, shape } = selection;
  const conditions: Fragment[] = [];
  if (bound.rest !== null) conditions.push(compileFilter(bound.rest, table, { write: hidden }));
  // The range of an open scope has nothing else in it.
  const visible = shape.open && (bound.inTenant || shape.tenant === null);
  if (!visible) conditions.push(scopePredicate(scope, tenant, hidden));
  const rows = rowsWithin(selection, bound, columnsOf(selection, bound, order), most + 1);
  if (conditions.length === 0) return { select: rows, selected: null };
  if (shape.divisions.length === 0) return { select: rows, selected: allOf(conditions) };
  // To look up the ancestors of divisions costs several times what finding the rows does, and too many are not used.
  return {
    select: sql`SELECT *, count(*) OVER () AS number FROM (${rows}) AS row`,
    selected: allOf([sql`number <= ${raw(String(most))}`, ...conditions]),
  };
}

/** What is looked at in a candidate. All columns of a wide table would take longer to set up than the few rows to read. */
function columnsOf({ table }: Selection, { rest }: Bound, { column }: Order): Fragment {
  const filtered = [...fieldsOf(rest)].map(field => resolveField(table, field).column.name);
  const names = new Set(['organization_id', 'tenant_id', 'division_id', 'id', 'doc', ...filtered]);
  if (column !== null) names.add(column.text);
  return raw([...names].join(', '));
}

/**
 * The rows within the bound. They come in the order of the index, so that no plan but its range is cheap; those of a list of
 * values one value after the other.
 */
function rowsWithin(
  { table, scope, shape }: Selection,
  { on, inTenant, terms }: Bound,
  columns: Fragment,
  most: number,
): Fragment {
  const { clause } = orderOf({ field: on.field, descending: false }, table);
  const limit = raw(`LIMIT ${most}`);
  const rows = (...conditions: Fragment[]) =>
    sql`SELECT ${columns} FROM ${raw(table.table)} WHERE ${allOf(conditions)} ORDER BY ${clause} ${limit}`;
  const organization = sql`${scope.organizationId}`;
  const inOrganization = sql`organization_id = ${organization}`;
  const tenant = inTenant ? hidden(shape.tenant, 'text') : null;
  if (!isLookup(terms)) {
    const range = compileFilter(terms, table, { write: hidden });
    if (tenant === null) return rows(isOnly('organization_id', organization), range);
    return rows(inOrganization, isOnly('tenant_id', tenant), range);
  }
  const places = tenant === null ? [inOrganization] : [inOrganization, sql`tenant_id = ${tenant}`];
  const type = sqlTypes[on.field.type];
  const values = valuesOf(terms, on.field);
  if (values.length === 0) return rows(sql`false`);
  if (terms.kind === 'comparison') return rows(...places, isOnly(on.column.name, hidden(values[0], type)));
  const ofOne = rows(...places, isOnly(on.column.name, sql`value.one`));
  return sql`SELECT x.* FROM unnest(${hidden(values, `${type}[]`)}) AS value (one) CROSS JOIN LATERAL (${ofOne}) AS x ${limit}`;
}

/**
 * Equality, said in a way that makes the planner expect few rows of it, so that it takes the index of the bound whatever it
 * believes of hidden values: else it would read all of a small table, or all of the one large tenant for a small one. Said of
 * one column only, the last that the index has equal values of: otherwise it expects a single row of every index.
 */
function isOnly(column: string, value: Fragment): Fragment {
  return sql`${raw(column)} = ${value} AND ${raw(column)} BETWEEN ${value} AND ${value}`;
}
