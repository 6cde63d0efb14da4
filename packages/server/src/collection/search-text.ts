const delimiter = '\n';

/**
 * The `search` column of a row: its folded texts, each between delimiters, so that one trigram index narrows text
 * operators and equality on all of them. A value that has the delimiter inside only makes the index less sharp, since the
 * column of the field always decides.
 */
export function searchText(folded: readonly (string | null)[]): string {
  const values = folded.filter(value => value !== null);
  return delimiter + values.map(value => value + delimiter).join('');
}

/** What `search` contains whenever one of its values equals, begins with, ends with or contains the folded text. */
export function searchNeedle(
  operator: '=' | 'CONTAINS' | 'STARTS_WITH' | 'ENDS_WITH',
  folded: string,
): string {
  const before = operator === '=' || operator === 'STARTS_WITH' ? delimiter : '';
  const after = operator === '=' || operator === 'ENDS_WITH' ? delimiter : '';
  return before + folded + after;
}

/** Three letters or digits in a row: what a trigram index needs to narrow. */
const trigram = /[\p{L}\p{N}]{3}/u;

/** Whether the trigram index narrows a search for the folded text. */
export function isSearchable(folded: string): boolean {
  return trigram.test(folded);
}

/** The text as a part of a LIKE pattern in which it stands for itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}
