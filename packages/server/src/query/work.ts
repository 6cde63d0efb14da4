import type { Scope } from '../auth/scope.ts';
import type { CheckedList, Sort } from './check.ts';
import { resolveField } from './compile.ts';
import type { Counting } from './count.ts';
import { nameOf } from './filter-name.ts';
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
import { shapeOf } from './scope-shape.ts';
import type { Selection } from './selection.ts';
import type { CollectionTable } from './table.ts';
import { soleField, wholeFilter } from './whole-filter.ts';

/** A page that is asked for. */
export interface PageRequest {
  readonly scope: Scope;
  /** The tenant that the request selected; the caller has checked that it is in scope. */
  readonly tenant: string | null;
  readonly list: CheckedList;
  /** Aborted when the client has left or the time of the request is over: the page is rejected with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told, where it is a poll, up to which instant of the clock all is read with this page: see {@link readTo}. */
  readonly noteRead?: ((to: string) => void) | undefined;
}

/** What a request asks for, with the names of what is remembered about it. */
export interface Work {
  readonly selection: Selection;
  readonly order: Order;
  readonly sort: Sort;
  readonly limit: number;
  /** The key of the totals of a filter, for this scope. */
  readonly namedBy: (filter: string) => string;
  readonly totals: string;
  readonly walk: string;
  /** Aborted when nobody waits for it any longer. */
  readonly signal: AbortSignal | undefined;
  /** When the page was asked for. */
  readonly since: number;
}

/** The work for a request. @throws ApiError 422 VALIDATION_ERROR for bounds in the wrong order. */
export function workOf(
  table: CollectionTable,
  { scope, tenant, list, signal }: PageRequest,
  since: number,
): Work {
  const filter = wholeFilter(list);
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
    walk: `${totals} ${list.sort.descending ? '-' : ''}${list.sort.field.name} ${list.pageSize}`,
    signal,
    since,
  };
}

/** Whether the work is about all rows of an organization or a tenant: their number is in one counter, and any order finds them. */
export function isWhole({ selection: { filter, shape } }: Work): boolean {
  return filter === null && shape.open;
}

/** A name for the page of the work that begins here. */
export function pageName({ walk }: Work, start: Start): string {
  return 'behind' in start
    ? `${walk} behind ${start.behind.id} ${start.behind.value}`
    : `${walk} ${start.offset}`;
}

/** How the total of the work is best counted; `total` is what it was a moment ago, if that is known. */
export function countingOf({ selection }: Work, numbers: Numbers, total: number | null): Counting {
  if (countsByUnits(numbers, !selection.shape.open)) return 'units';
  return countsNarrowed(numbers, total) ? 'narrowed' : 'plain';
}

/** What decides how a page is read, beside the page. */
export interface Choices {
  readonly choosePath: (question: PathQuestion) => AccessPath;
  readonly mayBeOfCluster: boolean;
}

/** How the page is read that begins here; `known` is what is known of the list, null where nothing need be. */
export function windowOf(
  { selection, order, limit, sort }: Work,
  start: Start,
  known: Estimate | null,
  { choosePath: choose, mayBeOfCluster }: Choices,
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
  return { order, path, rangeIndexed, limit, start, mayBeOfCluster };
}
