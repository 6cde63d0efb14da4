/** The filter language without the rest of the contract: `@kontor/contract/filter`. */
export { ApiError } from '../errors/errors.ts';
export type { Comparison, Filter, Junction, Membership, NullTest, Operator } from './ast.ts';
export { parseFilter } from './parse.ts';
export { printFilter } from './print.ts';
export { finderOf, searchedText, wordsOf } from '../fold.ts';
