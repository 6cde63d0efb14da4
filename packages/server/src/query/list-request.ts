import type { Scope } from '../auth/scope.ts';
import type { CheckedList, Sort } from './check.ts';
import type { Counting } from './count.ts';
import { nameOf, soleField, combineFilter } from './list-filter.ts';
import { type Order, orderOf } from './order.ts';
import type { Start, Window } from './page-statement.ts';
import {
  type AccessPath,
  countsByUnits,
  countsNarrowed,
  type Estimate,
  type Numbers,
  type PathQuestion,
} from './path.ts';
import { shapeOf, type Selection } from './selection.ts';
import { type CollectionTable, resolveField } from './resource.ts';

export interface PageRequest {
  readonly scope: Scope;
  /** The selected tenant. The caller has checked that it is in scope. */
  readonly tenant: string | null;
  readonly list: CheckedList;
  /** Aborted when the client disconnects or the request times out. The page then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called for a poll with the instant up to which the client has read everything, see {@link readTo}. */
  readonly recordRead?: ((to: string) => void) | undefined;
}

/** A request with the keys of its cache entries. */
export interface Work {
  readonly selection: Selection;
  readonly order: Order;
  readonly sort: Sort;
  readonly limit: number;
  /** Returns the key of the totals of a filter, for this scope. */
  readonly namedBy: (filter: string) => string;
  readonly totals: string;
  readonly position: string;
  /** Aborted when no caller waits for it. */
  readonly signal: AbortSignal | undefined;
}

/** @throws ApiError 422 VALIDATION_ERROR for bounds in the wrong order */
export function workOf(table: CollectionTable, { scope, tenant, list, signal }: PageRequest): Work {
  const filter = combineFilter(list);
  const owner = [scope.organizationId, scope.callerId, tenant ?? ''].join(' ');
  const namedBy = (name: string) => `${owner} ${name}`;
  const totals = namedBy(nameOf(filter));
  return {
    selection: { table, scope, tenant, shape: shapeOf(scope, tenant), filter },
    order: orderOf(list.sort, table),
    sort: list.sort,
    limit: list.pageSize,
    namedBy,
    totals,
    position: `${totals} ${list.sort.descending ? '-' : ''}${list.sort.field.name} ${list.pageSize}`,
    signal,
  };
}

/** Whether the request selects all rows of an organization or a tenant, whose number is in one counter. */
export function isWhole({ selection: { filter, shape } }: Work): boolean {
  return filter === null && shape.open;
}

/** The cache key of the page that starts here. */
export function pageName({ position }: Work, start: Start): string {
  return 'after' in start
    ? `${position} behind ${start.after.id} ${start.after.value}`
    : `${position} ${start.offset}`;
}

/** The cheapest way to count the total. `total` is the latest known one, or null. */
export function countingOf({ selection }: Work, numbers: Numbers, total: number | null): Counting {
  if (countsByUnits(numbers, !selection.shape.open)) return 'units';
  return countsNarrowed(numbers, total) ? 'narrowed' : 'plain';
}

/** How to read the page that starts here. `known` is the latest numbers of the list; null when they are not needed. */
export function windowOf(
  { selection, order, limit, sort }: Work,
  start: Start,
  known: Estimate | null,
  choose: (question: PathQuestion) => AccessPath,
): Window {
  const { shape, filter } = selection;
  const { indexed = [] } = resolveField(selection.table, sort.field.name).column;
  const rangeIndexed =
    indexed.includes(shape.tenant === null ? 'organization' : 'tenant') || indexed.includes('organization');
  const offset = 'offset' in start ? Number(start.offset) : 0;
  const path = choose({
    estimate: known ?? { total: 0, visible: 0, range: 0, units: 0 },
    needed: offset + limit,
    filtered: filter !== null,
    restricted: !shape.open,
    byDivision: shape.divisions.length > 0,
    rangeIndexed,
    unitsIndexed:
      (shape.tenants.length === 0 || indexed.includes('tenant')) &&
      (shape.divisions.length === 0 || indexed.includes('division')),
    bounded: filter !== null && soleField(filter) === sort.field.name,
  });
  return { order, path, rangeIndexed, limit, start };
}
