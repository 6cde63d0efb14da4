export { type ColumnMatch, ColumnNames, type KnownField } from './columns/column-names.ts';
export { fitCells, type FittedCells } from './columns/fit-cells.ts';
export { findHeader, headerSearchRows, isEmailAddress, labelColumns } from './columns/header.ts';
export { personColumnNames } from './columns/person-columns.ts';
export { csvCell, withoutFormulaMark } from './csv-cell.ts';
export { detectDialect } from './detect.ts';
export type { Delimiter, Dialect } from './dialect.ts';
export type { Encoding } from './decode.ts';
export { type FileFault, type FileFormat, identifyFile } from './identify.ts';
export {
  type Batch,
  type Fault,
  maxCells,
  maxCharacters,
  type Position,
  type TableRecord,
} from './parser.ts';
export { readRecords } from './read.ts';
export { readBoolean } from './values/boolean.ts';
export { readCountry } from './values/country.ts';
export { readDate } from './values/date.ts';
export { type DecimalSeparator, readDecimal } from './values/decimal.ts';
export { readPersonCell } from './values/person.ts';
export { readPostalCode } from './values/postal-code.ts';
export type { CellProblem, CellProblemCode, Reading } from './values/reading.ts';
export { cleanText, readText } from './values/text.ts';
