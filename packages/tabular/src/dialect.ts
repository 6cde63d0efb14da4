import type { Encoding } from './decode.ts';

/** In the order in which equally good ones are chosen. A comma is also the decimal separator of German numbers. */
export const delimiters = [';', '\t', '|', ','] as const;

export type Delimiter = (typeof delimiters)[number];

/** How a file is written. */
export interface Dialect {
  readonly encoding: Encoding;
  /** The character between cells. */
  readonly delimiter: Delimiter;
}
