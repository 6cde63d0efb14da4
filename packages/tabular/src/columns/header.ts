import { cleanText } from '../values/text.ts';
import type { ColumnNames } from './column-names.ts';

/** Rows in which the header is searched. Reports have a title, a date and a filter above it. */
export const headerSearchRows = 20;

/**
 * Finds the row with the names of the columns: the one with the most known names among the first rows. A single known name suffices in the
 * first row. Returns null if no row has names; then a user chooses it.
 *
 * SAP SuccessFactors writes two such rows, keys and labels (Knowledge Base 2087504). The last one counts, so that no row of names is data.
 */
export function findHeader(rows: readonly (readonly string[])[], names: ColumnNames<string>): number | null {
  const scores = rows.slice(0, headerSearchRows).map(row => scoreHeader(row, names));
  const best = Math.max(0, ...scores);
  const header = scores.indexOf(best);
  if (best === 0 || (best === 1 && header > 0)) return null;
  const next = scores.findIndex((score, row) => row > header && (score < 2 || score * 2 < best));
  return best === 1 ? header : (next < 0 ? scores.length : next) - 1;
}

/** The number of known names. A row with an email address is a person. One with a number needs two names: `2026` can be the name of a column. */
function scoreHeader(row: readonly string[], names: ColumnNames<string>): number {
  if (row.some(isEmailAddress)) return 0;
  const score = names.propose(row.map(cleanText)).filter(match => match !== null).length;
  return score === 1 && row.some(isNumber) ? 0 : score;
}

/** Text, an `@`, text, a dot, text, and no white space. Searching for the signs is linear, a pattern of them is not. */
export function isEmailAddress(cell: string): boolean {
  const text = cell.trim();
  const dot = text.lastIndexOf('.', text.length - 2);
  const at = text.indexOf('@', 1);
  return at > 0 && dot > at + 1 && !/\s/.test(text);
}

/** A number, a day or an amount. */
const isNumber = (cell: string) => /^[\d\s.,:/+()-]*\d[\d\s.,:/+()-]*$/.test(cell);

/** The names of the columns. A repeated one gets a number, by its position: `Telefon`, `Telefon (2)`. */
export function labelColumns(header: readonly string[]): string[] {
  const labels = new Set(header.map(cleanText));
  const used = new Set<string>();
  return header.map(cleanText).map(name => {
    let label = name;
    if (name !== '' && used.has(name))
      for (let n = 2; used.has(label) || labels.has(label); n++) label = `${name} (${n})`;
    used.add(label);
    return label;
  });
}
