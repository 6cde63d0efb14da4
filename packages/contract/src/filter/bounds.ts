/**
 * Limits of a filter (specification.md 3.6). A filter over a limit is INVALID_FILTER_SYNTAX.
 *
 * - `characters`: Unicode code points of the whole expression
 * - `comparisons`: total of comparisons, `IN` lists and null tests
 * - `values`: values of one `IN` list; `characters` bounds the total
 * - `nesting`: depth of open parentheses, without those of `IN` lists
 */
export const filterBounds = { characters: 16_000, comparisons: 100, values: 500, nesting: 20 } as const;

/**
 * Maximum consecutive combining marks, as in Unicode's Stream-Safe Text Format. No writing system has more, and ordering n marks takes n²
 * steps. A filter over it is INVALID_FILTER_SYNTAX, too.
 */
export const markBound = 30;
