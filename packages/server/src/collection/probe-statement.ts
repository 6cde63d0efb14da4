import { scopePredicate } from '../database/scope-predicate.ts';
import { allOf, empty, type Fragment, raw, sql } from '../database/sql.ts';
import { type Bound, isLookup } from './bound.ts';
import { compileFilter, resolveField, valuesOf } from './compile.ts';
import { sqlTypes } from './literals.ts';
import { type Order, orderOf } from './order.ts';
import { anyOf, type Start } from './page-statement.ts';
import type { Selection } from './selection.ts';
import { hidden } from '../database/values.ts';
import { fieldsOf } from './whole-filter.ts';

/** What of a list is read, and in which order. */
interface Piece {
  readonly order: Order;
  readonly start: Start;
  readonly limit: number;
}

/**
 * A page with its total from the few rows that an index finds for a bound of the filter, as one row like that of a page
 * statement. All else that the list asks for is looked at in these candidates only, so that the statement never costs more
 * than they do. When there are more of them than `most`, total and page are null.
 *
 * Neither text nor plan depends on the values, since the planner does not see those of the bound: it is planned once. To set
 * the plan up takes longer than to run it for a few rows, so it has few parts and goes over the candidates once.
 */
export function probeStatement(selection: Selection, bound: Bound, piece: Piece, most: number): Fragment {
  const { order, start, limit } = piece;
  // No candidate lies behind `most`, and a subscript is not made for any number.
  const before = 'offset' in start ? Number(start.offset > BigInt(most) ? most : start.offset) : 0;
  const page = sql`[${before + 1}::int:${before + limit}::int]`;
  const rows = candidates(selection, bound, order, most);
  const behind = 'behind' in start ? anyOf(order.behind(start.behind)) : null;
  const listed = filtered(rows.selected, behind);
  const each = (column: Fragment) => sql`(array_agg(${column}${rows.sorted})${listed})${page}`;
  const few = raw(`count(*) <= ${most}`);
  return sql`SELECT o.clock::text, total::text, NULL, NULL, NULL, array_to_string(docs, ','), cardinality(docs), ${order.keyText ?? sql`NULL`}, last_id
FROM organization o, (SELECT *, ids[cardinality(docs)] AS last_id, keys[cardinality(docs)] AS sort_key FROM (
  SELECT CASE WHEN ${few} THEN count(*)${filtered(rows.selected)} END AS total, CASE WHEN ${few} THEN ${each(sql`doc`)} END AS docs,
    ${each(sql`id`)} AS ids, ${order.column === null ? sql`NULL::text[]` : each(order.column)} AS keys
  FROM (${rows.select}) AS candidates) AS found) AS page
WHERE o.id = ${selection.scope.organizationId}`;
}

/** `FILTER (WHERE …)` behind an aggregate; nothing where there is no condition. */
function filtered(...conditions: readonly (Fragment | null)[]): Fragment {
  const given = conditions.filter(condition => condition !== null);
  return given.length === 0 ? empty : sql` FILTER (WHERE ${allOf(given)})`;
}

/** The rows within a bound. To sort or to filter a few rows without need takes longer than to find them. */
interface Candidates {
  readonly select: Fragment;
  /** Which of them the list has; null: all. */
  readonly selected: Fragment | null;
  /** How they are sorted, behind what is aggregated; empty where they come in order. */
  readonly sorted: Fragment;
}

/** One more than `most` at most. */
function candidates(selection: Selection, bound: Bound, order: Order, most: number): Candidates {
  const { table, scope, tenant, shape } = selection;
  const conditions: Fragment[] = [];
  if (bound.rest !== null) conditions.push(compileFilter(bound.rest, table, { write: hidden }));
  // The range of an open scope has nothing else in it.
  const visible = shape.open && (bound.inTenant || shape.tenant === null);
  if (!visible) conditions.push(scopePredicate(scope, tenant, hidden));
  let rows = rowsWithin(selection, bound, columnsOf(selection, bound, order), most + 1);
  if (shape.divisions.length > 0) {
    // To look up the ancestors of divisions costs several times what finding the rows does, and too many are not used.
    conditions.unshift(sql`number <= ${raw(String(most))}`);
    rows = sql`SELECT *, count(*) OVER () AS number FROM (${rows}) AS row`;
  }
  const columns = order.column === null ? sql`id, doc` : sql`id, doc, ${order.column}`;
  const sorted = order.byId && isOfOneValue(bound) ? empty : sql` ORDER BY ${order.clause}`;
  if (conditions.length === 0) return { select: rows, selected: null, sorted };
  // OFFSET 0 has it found out once whether a row is selected, not wherever that is looked at.
  const select = sql`SELECT ${columns}, (${allOf(conditions)}) AS selected FROM (${rows}) AS candidate OFFSET 0`;
  return { select, selected: sql`selected`, sorted };
}

function isOfOneValue({ terms }: Bound): boolean {
  return isLookup(terms) && terms.kind === 'comparison';
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
