import { firstCharacters } from '../values/reading.ts';

/** The cells of a record, one for each column. A further cell with text is a fault. */
export type FittedCells =
  | { readonly cells: readonly string[]; readonly surplus: null }
  | { readonly cells: null; readonly surplus: { readonly position: number; readonly found: string } };

/**
 * Fits the cells of a record to the number of columns. Programs leave out empty cells at the end, or write more of them. `position` counts cells
 * from 1.
 */
export function fitCells(cells: readonly string[], columns: number): FittedCells {
  if (cells.length === columns) return { cells, surplus: null };
  if (cells.length < columns)
    return { cells: [...cells, ...Array.from({ length: columns - cells.length }, () => '')], surplus: null };
  const at = cells.findIndex((cell, index) => index >= columns && cell.trim() !== '');
  if (at < 0) return { cells: cells.slice(0, columns), surplus: null };
  return { cells: null, surplus: { position: at + 1, found: firstCharacters(cells[at]!.trim()) } };
}
