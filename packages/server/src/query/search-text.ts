const delimiter = '\n';

/**
 * The `search` column of a row: its folded texts, each between delimiters, so that one trigram index narrows text
 * operators and equality on all of them. A value that has the delimiter inside only makes the index less sharp, since the
 * column of the field always decides.
 */
export function searchText(folded: readonly (string | null)[]): string {
  const values = folded.filter(value => value !== null);
  return delimiter + values.map(value => spelled(value) + delimiter).join('');
}

/** What `search` contains whenever one of its values equals, begins with, ends with or contains the folded text. */
export function searchNeedle(
  operator: '=' | 'CONTAINS' | 'STARTS_WITH' | 'ENDS_WITH',
  folded: string,
): string {
  const before = operator === '=' || operator === 'STARTS_WITH' ? delimiter : '';
  const after = operator === '=' || operator === 'ENDS_WITH' ? delimiter : '';
  return before + spelled(folded) + after;
}

/** Whether the trigram index narrows a search for the folded text: it needs three letters or digits in a row. */
export function isSearchable(folded: string): boolean {
  return /[a-z0-9]{3}/.test(spelled(folded));
}

/**
 * The text with each character outside ASCII spelled in letters and digits, `ü` as `q70`. What a trigram index takes for a
 * letter depends on the locale of the database, and where that is "C" it would leave out all but ASCII. Spelling goes
 * character by character, so a part of a text is spelled as a part of it.
 */
function spelled(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, character => `q${character.codePointAt(0)!.toString(36)}`);
}

/** The text as a part of a LIKE pattern in which it stands for itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}
