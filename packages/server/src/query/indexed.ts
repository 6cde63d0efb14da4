import type { Comparison, Filter, Membership } from '@kontor/contract';
import { type ResolvedField, resolveField, compileFilter, valuesOf } from './compile.ts';
import { keysetsOf } from './keyset.ts';
import type { Selection } from './selection.ts';
import type { Column } from './resource.ts';
import { conjunction, conjunctsOf, fieldsOf } from './list-filter.ts';
import { scopePredicate } from '../auth/scope-predicate.ts';
import { type Fragment, allOf, empty, hidden, raw, sql } from '../db/sql.ts';
import { sqlTypes } from './literals.ts';
import { type Order, orderOf } from './order.ts';
import { anyOf, documentsOf, type Start, where } from './page-statement.ts';

/** Terms of a filter that an index serves: all that match them lie in one range of it, or in one for each value. */
export interface Bound {
  readonly on: ResolvedField;
  /** The index begins with the tenant of the scope, not only with the organization. */
  readonly inTenant: boolean;
  readonly terms: Filter;
  /** The remaining terms of the filter. */
  readonly rest: Filter | null;
}

/**
 * The terms of a filter that leave the fewest rows, as far as can be told without looking: an equality or a list of values
 * before a range, and a tenant or division last, since these have many rows each. Null where no term has an index.
 */
export function boundOf({ table, shape, filter }: Selection): Bound | null {
  const all = conjunctsOf(filter);
  const { keysets, rest } = keysetsOf(all);
  const isIndexed = (field: string) => isIndexedFor(resolveField(table, field).column, shape.tenant);
  const lookups = rest.filter(isLookup).filter(term => isIndexed(term.field));
  const ranged = [
    ...keysets.map(({ keyset }) => keyset.field),
    ...rest.filter(isRange).map(term => term.field),
  ].filter(isIndexed);
  const lookup =
    lookups.find(term => !isPlace(resolveField(table, term.field).column)) ??
    (ranged.length === 0 ? lookups[0] : undefined);
  const field = lookup?.field ?? ranged[0];
  if (field === undefined) return null;
  const terms = lookup
    ? [lookup]
    : [
        ...keysets.filter(({ keyset }) => keyset.field === field).flatMap(keyset => keyset.terms),
        ...rest.filter(isRange).filter(term => term.field === field),
      ];
  const on = resolveField(table, field);
  return {
    on,
    inTenant: shape.tenant !== null && on.column.indexed!.includes('tenant'),
    terms: conjunction(terms)!,
    rest: conjunction(all.filter(term => !terms.includes(term))),
  };
}

function isIndexedFor({ indexed = [] }: Column, tenant: string | null): boolean {
  return indexed.includes('organization') || (tenant !== null && indexed.includes('tenant'));
}

/** Whether the term names the values that match. */
export function isLookup(term: Filter): term is Comparison | Membership {
  return term.kind === 'in' || (term.kind === 'comparison' && term.operator === '=');
}

function isRange(term: Filter): term is Comparison {
  return term.kind === 'comparison' && ['>', '>=', '<', '<='].includes(term.operator);
}

/** Whether the column says where a row belongs, as the scope does. */
function isPlace({ name }: Column): boolean {
  return name === 'tenant_id' || name === 'division_id';
}

/** The few rows that an index finds for a bound of the filter, which all else is then looked at in. */
export interface Candidates {
  /** Selects the candidates, at most one more than the limit. */
  readonly select: Fragment;
  /** Which of them the list has; null: all. */
  readonly selected: Fragment | null;
}

/**
 * The candidates for a list in this order. Neither text nor plan depends on the values, since the planner does not see those of
 * the bound: it is planned once. To set the plan up takes longer than to run it for a few rows, so it has few parts.
 */
function candidatesOf(selection: Selection, bound: Bound, order: Order, max: number): Candidates {
  const { table, scope, tenant, shape } = selection;
  const conditions: Fragment[] = [];
  if (bound.rest !== null) conditions.push(compileFilter(bound.rest, table, { write: hidden }));
  // The range of an open scope has nothing else in it.
  const visible = shape.open && (bound.inTenant || shape.tenant === null);
  if (!visible) conditions.push(scopePredicate(scope, tenant, hidden));
  const rows = rowsWithin(selection, bound, columnsOf(selection, bound, order), max + 1);
  if (conditions.length === 0) return { select: rows, selected: null };
  if (shape.divisions.length === 0) return { select: rows, selected: allOf(conditions) };
  // To look up the ancestors of divisions costs several times what finding the rows does, and too many are not used.
  return {
    select: sql`SELECT *, count(*) OVER () AS number FROM (${rows}) AS row`,
    selected: allOf([sql`number <= ${raw(String(max))}`, ...conditions]),
  };
}

/** The columns needed of a candidate. Setting up all columns of a wide table takes longer than reading the few rows. */
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
  max: number,
): Fragment {
  const { clause } = orderOf({ field: on.field, descending: false }, table);
  const limit = raw(`LIMIT ${max}`);
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

/**
 * The rows that an index finds for an equality or a list of values, in the order of the list: for each the clock of the
 * organization, its document, sort value and identifier. These three are null for a candidate that the list does not have, and
 * in the one row that says there is none. When there are more than `most` the list is to be read in another way.
 *
 * Nothing is put together or counted by the server: for the one row that such a list has most of the time that would take as
 * long as to find it.
 */
export function lookupStatement(selection: Selection, bound: Bound, order: Order, max: number): Fragment {
  const { select, selected } = candidatesOf(selection, bound, order, max);
  const seen = (column: Fragment) =>
    selected === null ? column : sql`CASE WHEN selected THEN ${column} END`;
  const picked = selected === null ? empty : sql`, (${selected}) AS selected`;
  return sql`SELECT o.clock::text, ${seen(sql`doc`)}, ${order.keyText === null ? sql`NULL` : seen(order.keyText)}, ${seen(sql`found.id`)}
FROM organization o LEFT JOIN LATERAL (
  SELECT id, doc, ${order.key} AS sort_key${picked} FROM (${select}) AS candidate ORDER BY ${order.clause}) AS found ON true
WHERE o.id = ${selection.scope.organizationId}`;
}

/** The part of a list to read, and its order. */
interface Chunk {
  readonly order: Order;
  readonly start: Start;
  readonly limit: number;
}

/**
 * A page with its total from the few rows that an index finds for a bound of the filter, as one row like that of a page
 * statement. The statement never costs more than these candidates do: when there are more of them than `most`, the total is
 * null and the page is not to be used.
 *
 * They are gone over twice, once to count them and once for the page, since neither takes all of them with their documents: to
 * count them the index may do, and the page ends where it is full when the list is in the order of the index.
 */
export function probeStatement(selection: Selection, bound: Bound, chunk: Chunk, max: number): Fragment {
  const { order, start, limit } = chunk;
  const { select, selected } = candidatesOf(selection, bound, order, max);
  const counted = selected === null ? sql`count(*)` : sql`count(*) FILTER (WHERE ${selected})`;
  const after = 'after' in start ? anyOf(order.after(start.after)) : null;
  // No candidate lies behind `most`, and an offset is not made for any number.
  const before = 'offset' in start ? Number(start.offset > BigInt(max) ? max : start.offset) : 0;
  const page = sql`SELECT id, ${order.key} AS sort_key, doc FROM (${select}) AS candidate${where(selected, after)}
    ORDER BY ${order.clause} LIMIT ${limit}::int OFFSET ${before}::int`;
  return sql`SELECT o.clock::text, total::text, NULL, NULL, NULL, p.*
FROM organization o, (SELECT CASE WHEN count(*) <= ${raw(String(max))} THEN ${counted} END AS total FROM (${select}) AS candidate) AS t,
  (${documentsOf(order, page)}) AS p
WHERE o.id = ${selection.scope.organizationId}`;
}
