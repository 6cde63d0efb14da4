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
}

/** Costs relative to reading a row along an index, measured on a million rows. */
const cost = { divisionCheck: 5, unitLookup: 4, matchedRow: 3, sortedRow: 1.5 };

/** Returns the cheapest path, assuming that rows are evenly distributed. */
export function choosePath(question: PathQuestion): AccessPath {
  const { filtered, restricted } = question;
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

/** Whether counting in the granted tenants and divisions is cheapest. With few rows in them, the predicate alone may scan much of the range. */
export function countsByUnits(numbers: Numbers, restricted: boolean): boolean {
  return (
    restricted && numbers.units * cost.unitLookup + numbers.visible * cost.sortedRow < numbers.range * fewRows
  );
}

/** Whether the trigram index speeds up a count. It does not if many rows match; an unknown total counts as few. */
export function countsNarrowed(numbers: Numbers, total: number | null): boolean {
  return total === null || total < numbers.range * fewRows;
}

/** Below this share of a range, reading rows through an index is faster than a full scan. */
const fewRows = 0.1;
