import { emptyCell, problemIn, type Reading, valueRead } from './reading.ts';
import { readText } from './text.ts';

// cspell:disable
const words = new Map<string, boolean>([
  ...['ja', 'j', 'yes', 'y', 'true', 'wahr', '1', 'x', '✓', '✔', '☑'].map(word => [word, true] as const),
  ...['nein', 'n', 'no', 'false', 'falsch', '0', '☐'].map(word => [word, false] as const),
]);
// cspell:enable

/** Reads yes or no in German and English. A column of `x` has empty cells for no: the caller knows whether an empty cell means no. */
export function readBoolean(cell: string): Reading<boolean> {
  const { value: text, problem } = readText(cell);
  if (problem) return { value: null, problem };
  if (text === null) return emptyCell;
  const value = words.get(text.toLowerCase());
  return value === undefined ? problemIn(text, 'not_boolean') : valueRead(value);
}
