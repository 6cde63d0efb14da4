/** The result of reading a cell. An empty cell has neither a value nor a problem. */
export type Reading<Value> =
  | { readonly value: Value | null; readonly problem: null }
  | { readonly value: null; readonly problem: CellProblem };

export interface CellProblem {
  readonly code: CellProblemCode;
  /** The text of the cell, at most 100 characters. */
  readonly found: string;
  /** The value that the cell probably meant. A user must confirm it. */
  readonly suggestion: string | null;
}

/** Damage that a program did to a value. The file does not contain the original. */
type Damage =
  /** `4,9E+11`: the digits are lost. */
  | 'rounded_number'
  /** `####`: the column was too narrow. */
  | 'hidden_value'
  /** `#NV`, `#REF!`: a formula failed. */
  | 'formula_error'
  /** `=A1&B1`: a formula in place of its value. */
  | 'formula'
  /** `MÃ¼ller`, `M?ller`: the text was read in a wrong encoding. */
  | 'garbled_text';

export type CellProblemCode =
  | Damage
  | 'not_boolean'
  | 'not_country'
  | 'ambiguous_country'
  | 'not_date'
  | 'impossible_date'
  | 'ambiguous_date'
  | 'not_number'
  | 'ambiguous_number'
  | 'short_postal_code';

export const emptyCell = { value: null, problem: null } as const;

export function valueRead<Value>(value: Value): Reading<Value> {
  return { value, problem: null };
}

export function problemIn(
  cell: string,
  code: CellProblemCode,
  suggestion: string | null = null,
): { value: null; problem: CellProblem } {
  return { value: null, problem: { code, found: firstCharacters(cell), suggestion } };
}

/** The first characters of a text, without half of one. */
export function firstCharacters(text: string): string {
  return text.slice(0, 100).toWellFormed();
}
