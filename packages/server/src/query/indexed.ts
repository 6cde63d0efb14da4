import type { Comparison, Filter, Membership } from '@kontor/contract';
import { compileFilter, valuesOf } from './compile.ts';
import { isOnly, rangePredicate, type Selection } from './selection.ts';
import { type ResolvedField, resolveField } from './check.ts';
import { conjunction, conjunctsOf, keysetsOf } from './list-filter.ts';
import { scopePredicate } from '../auth/scope-predicate.ts';
import { type Fragment, allOf, hidden, raw, sql } from '../db/sql.ts';
import { sqlTypes } from './literals.ts';
import { anyOf, documentsOf, orderOf, where, type Window } from './page-statement.ts';

/** Terms of a filter that an index serves with one range, or with one range per value. */
export interface Bound {
  readonly on: ResolvedField;
  /** The index starts with the tenant, not only with the organization. */
  readonly inTenant: boolean;
  readonly terms: Filter;
  readonly rest: Filter | null;
}

/**
 * Chooses the terms that likely leave the fewest rows, without reading any: an equality or list of values before a range.
 * A tenant or division comes last, because each has many rows. Null when no term has an index.
 */
export function boundOf({ table, access, filter }: Selection): Bound | null {
  const all = conjunctsOf(filter);
  const { keysets, rest } = keysetsOf(all);
  const isIndexed = (field: string) => {
    const { indexed = [] } = resolveField(table, field).column;
    return indexed.includes('organization') || (access.tenant !== null && indexed.includes('tenant'));
  };
  const isPlace = (field: string) => /^(tenant|division)_id$/.test(resolveField(table, field).column.name);
  const lookups = rest.filter(isLookup).filter(term => isIndexed(term.field));
  const ranged = [
    ...keysets.map(({ keyset }) => keyset.field),
    ...rest.filter(isRange).map(term => term.field),
  ].filter(isIndexed);
  const lookup = lookups.find(term => !isPlace(term.field)) ?? (ranged.length === 0 ? lookups[0] : undefined);
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
    inTenant: access.tenant !== null && on.column.indexed!.includes('tenant'),
    terms: conjunction(terms)!,
    rest: conjunction(all.filter(term => !terms.includes(term))),
  };
}

/** Whether the term lists the matching values. */
function isLookup(term: Filter): term is Comparison | Membership {
  return term.kind === 'in' || (term.kind === 'comparison' && term.operator === '=');
}

function isRange(term: Filter): term is Comparison {
  return term.kind === 'comparison' && ['>', '>=', '<', '<='].includes(term.operator);
}

/**
 * The few rows that an index finds for a bound, at most one more than the limit, and the predicate of those in the list; null if all are. Hidden values keep text and plan independent of the values, so it is planned once.
 * It has few parts: setting up the plan takes longer than running it for a few rows.
 */
function candidatesOf(
  selection: Selection,
  bound: Bound,
  max: number,
): { select: Fragment; selected: Fragment | null } {
  const { table, scope, tenant, access } = selection;
  const conditions: Fragment[] = [];
  if (bound.rest !== null) conditions.push(compileFilter(bound.rest, table, { write: hidden }));
  // An open scope covers the whole range of the index.
  const visible = access.isOpen && (bound.inTenant || access.tenant === null);
  if (!visible) conditions.push(scopePredicate(scope, tenant, hidden));
  const rows = rowsWithin(selection, bound, max + 1);
  if (conditions.length === 0) return { select: rows, selected: null };
  if (access.divisions.length === 0) return { select: rows, selected: allOf(conditions) };
  // Above the limit the result is not used, so the ancestors are not checked: that costs several times as much as finding the rows.
  return {
    select: sql`SELECT *, count(*) OVER () AS number FROM (${rows}) AS row`,
    selected: allOf([sql`number <= ${raw(String(max))}`, ...conditions]),
  };
}

/** The rows within the bound. ORDER BY follows the index, so only its range is a cheap plan. A list of values is read value by value. */
function rowsWithin(
  { table, scope, access }: Selection,
  { on, inTenant, terms }: Bound,
  max: number,
): Fragment {
  const { clause } = orderOf({ field: on.field, descending: false }, table);
  const limit = raw(`LIMIT ${max}`);
  const rows = (...conditions: Fragment[]) =>
    sql`SELECT * FROM ${raw(table.table)} WHERE ${allOf(conditions)} ORDER BY ${clause} ${limit}`;
  const tenant = inTenant ? access.tenant : null;
  if (!isLookup(terms))
    return rows(rangePredicate(scope, tenant), compileFilter(terms, table, { write: hidden }));
  const places = [sql`organization_id = ${scope.organizationId}`];
  if (tenant !== null) places.push(sql`tenant_id = ${hidden(tenant, 'text')}`);
  const type = sqlTypes[on.field.type];
  const values = valuesOf(terms, on.field);
  if (values.length === 0) return rows(sql`false`);
  if (terms.kind === 'comparison') return rows(...places, isOnly(on.column.name, hidden(values[0], type)));
  const ofOne = rows(...places, isOnly(on.column.name, sql`value.one`));
  return sql`SELECT x.* FROM unnest(${hidden(values, `${type}[]`)}) AS value (one) CROSS JOIN LATERAL (${ofOne}) AS x ${limit}`;
}

/**
 * Reads a page with its total from the candidates, as one row like that of a page statement.
 * With more than `max` candidates the total is null and the page must not be used, which bounds the cost.
 * The candidates are read twice, because neither pass needs all documents. Counting may use the index alone, and the page stops when it is full.
 */
export function probeStatement(
  selection: Selection,
  bound: Bound,
  { order, start, limit }: Pick<Window, 'order' | 'start' | 'limit'>,
  max: number,
): Fragment {
  const { select, selected } = candidatesOf(selection, bound, max);
  const counted = selected === null ? sql`count(*)` : sql`count(*) FILTER (WHERE ${selected})`;
  const after = 'after' in start ? anyOf(order.after(start.after)) : null;
  // No candidate lies behind `max`. The clamp also keeps the offset within an integer.
  const before = 'offset' in start ? Number(start.offset > BigInt(max) ? max : start.offset) : 0;
  const page = sql`SELECT id, ${order.key} AS sort_key, doc FROM (${select}) AS candidate${where(selected, after)}
    ORDER BY ${order.clause} LIMIT ${limit}::int OFFSET ${before}::int`;
  return sql`SELECT o.clock::text, total::text, NULL, NULL, NULL, p.*
FROM organization o, (SELECT CASE WHEN count(*) <= ${raw(String(max))} THEN ${counted} END AS total FROM (${select}) AS candidate) AS t,
  (${documentsOf(order, page)}) AS p
WHERE o.id = ${selection.scope.organizationId}`;
}
