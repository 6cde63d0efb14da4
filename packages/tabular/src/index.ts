export { type Dialect, detectDialect } from './dialect.ts';
export type { Encoding } from './decode.ts';
export {
  type Batch,
  type Fault,
  maxCells,
  maxCharacters,
  type Position,
  type TableRecord,
} from './parser.ts';
export { readRecords } from './read.ts';
