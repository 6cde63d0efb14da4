import type { Filter } from '@kontor/contract';
import { resolveField, type Sort } from './check.ts';
import { soleField } from './list-filter.ts';
import type { Selection } from './selection.ts';

/**
 * How the rows of a page are found:
 * - `ordered`: scan the index of the order, skip rows that are not visible or do not match, stop when the page is full
 * - `merged`: merge the first rows of every granted tenant and division
 * - `matched`: read all matching rows and sort them
 */
export type AccessPath = 'ordered' | 'merged' | 'matched';

/** Row numbers of a scope, exact or slightly outdated. */
export interface Numbers {
  readonly visible: number;
  /** Rows of the tenant or organization that the index of the order covers. */
  readonly range: number;
  /** Granted tenants, and granted divisions with their descendants. */
  readonly units: number;
}

export interface Estimate extends Numbers {
  /** Rows that are visible and match. */
  readonly total: number;
}

/**
 * How the total of a filtered list is counted. Without a filter it comes from the counters.
 * - `units`: in the rows of each granted tenant and division
 * - `narrowed`: by the predicate of scope and filter, narrowed by the trigram index
 * - `plain`: by that predicate alone
 */
export type Counting = 'units' | 'narrowed' | 'plain';

/** The exact numbers of a list at an instant of the organization clock. At any other they are an estimate. */
export interface Totals extends Estimate {
  readonly clock: string;
}

export interface PathQuestion {
  readonly estimate: Estimate;
  /** Rows from the start of reading to the end of the page. */
  readonly needed: number;
  readonly filtered: boolean;
  /** Whether tenants or divisions restrict the range. */
  readonly restricted: boolean;
  /** Whether divisions restrict it. Each row then costs a check of its division's ancestors. */
  readonly byDivision: boolean;
  /** The range has an index in the order of the list. */
  readonly rangeIndexed: boolean;
  /** Each unit has an index in the order of the list. */
  readonly unitsIndexed: boolean;
  /** The filter only bounds the sort field, so it is one range of the index. */
  readonly bounded: boolean;
  /** The filter compares without accents, which costs a row more than all else. An index finds the rows that match. */
  readonly isLoose: boolean;
}

/** `needed`: rows from the start of reading to the end of the page. */
export function questionOf(
  { access, filter, table }: Selection,
  { field }: Sort,
  needed: number,
  estimate: Estimate,
): PathQuestion {
  const { indexed = [] } = resolveField(table, field.name).column;
  return {
    estimate,
    needed,
    filtered: filter !== null,
    restricted: !access.isOpen,
    byDivision: access.divisions.length > 0,
    rangeIndexed: indexed.includes('organization') || (access.tenant !== null && indexed.includes('tenant')),
    unitsIndexed:
      (access.tenants.length === 0 || indexed.includes('tenant')) &&
      (access.divisions.length === 0 || indexed.includes('division')),
    bounded: filter !== null && soleField(filter) === field.name,
    isLoose: filter !== null && ignoresAccents(filter),
  };
}

function ignoresAccents(filter: Filter): boolean {
  if ('terms' in filter) return filter.terms.some(ignoresAccents);
  return filter.kind === 'comparison' && filter.operator === 'CONTAINS' && filter.ignoresAccents === true;
}

/** Below this share of a range, reading rows through an index is faster than a full scan. */
const fewRows = 0.1;

/** Costs relative to reading a row along an index, measured on a million rows. */
const cost = { divisionCheck: 5, unitLookup: 4, matchedRow: 3, sortedRow: 1.5 };

/** Returns the cheapest path, assuming that rows are evenly distributed. */
export function choosePath(question: PathQuestion): AccessPath {
  const { filtered, restricted, isLoose, estimate } = question;
  // Names that match lie together in their order: a scan may read half of the range before the first one.
  if (isLoose && estimate.total < estimate.range * fewRows) return 'matched';
  if (!filtered && !restricted) return 'ordered';
  if (question.bounded && question.rangeIndexed && !restricted) return 'ordered';
  const costs: [AccessPath, number][] = [['ordered', orderedCost(question)]];
  if (restricted) costs.push(['merged', mergedCost(question)]);
  if (filtered) costs.push(['matched', matchedCost(question)]);
  return costs.reduce((best, other) => (other[1] < best[1] ? other : best))[0];
}

function orderedCost({ estimate, needed, byDivision, rangeIndexed, bounded }: PathQuestion): number {
  const check = byDivision ? 1 + cost.divisionCheck : 1;
  if (!rangeIndexed) return estimate.range * check * cost.sortedRow;
  const density = (bounded ? estimate.visible : estimate.total) / Math.max(estimate.range, 1);
  return Math.min(estimate.range, needed / Math.max(density, 1e-9)) * check;
}

function mergedCost({ estimate, needed, unitsIndexed, filtered }: PathQuestion): number {
  const rows =
    unitsIndexed && !filtered ? Math.min(estimate.visible, needed * estimate.units) : estimate.visible;
  return estimate.units * cost.unitLookup + rows * cost.sortedRow;
}

function matchedCost({ estimate, byDivision }: PathQuestion): number {
  const matching = estimate.total * (estimate.range / Math.max(estimate.visible, 1));
  return Math.min(matching, estimate.range) * (cost.matchedRow + (byDivision ? cost.divisionCheck : 0));
}

/** The cheapest way to count a filtered list. `total` is the latest known one; an unknown total counts as few. */
export function countingOf(numbers: Numbers, isRestricted: boolean, total: number | null): Counting {
  const few = numbers.range * fewRows;
  // With few rows in the granted tenants and divisions, the predicate alone may scan much of the range.
  const byUnits = numbers.units * cost.unitLookup + numbers.visible * cost.sortedRow;
  if (isRestricted && byUnits < few) return 'units';
  // The trigram index slows a count down if many rows match.
  return total === null || total < few ? 'narrowed' : 'plain';
}
