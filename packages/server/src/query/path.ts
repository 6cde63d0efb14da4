/**
 * How the rows of a page are found:
 * - `ordered`: along the index of the order, leaving out what is not visible or does not match, until the page is full
 * - `merged`: the first rows of every granted tenant and division, put in order
 * - `matched`: all rows that match, put in order
 */
export type AccessPath = 'ordered' | 'merged' | 'matched';

/** Numbers of rows that a scope shows, exact or slightly outdated. */
export interface Numbers {
  /** Visible rows. */
  readonly visible: number;
  /** Rows of the tenant or organization that the index of the order runs over. */
  readonly range: number;
  /** Granted tenants and divisions with those below them. */
  readonly units: number;
}

/** The numbers of a list, exactly or as of a moment ago. */
export interface Estimate extends Numbers {
  /** Rows that are visible and match. */
  readonly total: number;
}

export interface PathQuestion {
  readonly estimate: Estimate;
  /** Rows up to the end of the page, from where reading starts. */
  readonly needed: number;
  readonly filtered: boolean;
  /** Whether tenants or divisions restrict the range. */
  readonly restricted: boolean;
  /** Whether divisions do: then a row of the range costs a look at the ancestors of its division. */
  readonly byDivision: boolean;
  /** There is an index in the order of the list over the range. */
  readonly rangeIndexed: boolean;
  /** There is an index in the order of the list for each of the units. */
  readonly unitsIndexed: boolean;
  /** The filter says nothing but where to start in the order, which is then an index range. */
  readonly bounded: boolean;
}

/** Cost of one thing in visits of a row along an index, measured on a million rows. */
const cost = { divisionCheck: 5, unitLookup: 4, matchedRow: 3, sortedRow: 1.5 };

/** The cheapest path, if rows lie evenly. */
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

/**
 * Whether the total of a filtered list is best counted in the rows of the granted tenants and divisions: when they are few,
 * since the predicate alone may touch much of the range.
 */
export function countsByUnits(numbers: Numbers, restricted: boolean): boolean {
  return (
    restricted && numbers.units * cost.unitLookup + numbers.visible * cost.sortedRow < numbers.range * fewRows
  );
}

/** Whether the trigram index serves a count: it does not for what matches often, as far as is known. */
export function countsNarrowed(numbers: Numbers, total: number | null): boolean {
  return total === null || total < numbers.range * fewRows;
}

/** The share of a range below which going through an index row by row beats going through all of it. */
const fewRows = 0.1;
