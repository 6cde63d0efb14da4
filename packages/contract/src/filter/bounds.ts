/**
 * Limits of a filter (specification.md 3.6). A filter over a limit is INVALID_FILTER_SYNTAX.
 *
 * - `characters`: Unicode code points of the whole expression
 * - `comparisons`: comparisons, `IN` lists and null tests together
 * - `values`: values of one `IN` list; the characters bound their sum
 * - `nesting`: open parentheses at one place, those of `IN` lists not counted
 */
export const filterBounds = { characters: 16_000, comparisons: 100, values: 500, nesting: 20 } as const;

/**
 * Most combining marks in a row in a text, as in Unicode's Stream-Safe Text Format: no writing has more, and to put n of them in
 * their order takes n² steps. Beyond it a filter is INVALID_FILTER_SYNTAX, too.
 */
export const markBound = 30;
