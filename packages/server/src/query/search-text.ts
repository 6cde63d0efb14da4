const delimiter = '\n';

/**
 * The `search` column of a row: its folded texts between delimiters. One trigram index then serves text operators and equality on all of
 * them. A value that contains the delimiter only adds candidates; the field's own column decides.
 */
export function searchText(folded: readonly (string | null)[]): string {
  const values = folded.filter(value => value !== null);
  return delimiter + values.map(value => spelled(value) + delimiter).join('');
}

/** The substring of `search` whenever one of its values matches the folded text. */
export function searchNeedle(
  operator: '=' | 'CONTAINS' | 'STARTS_WITH' | 'ENDS_WITH',
  folded: string,
): string {
  const before = operator === '=' || operator === 'STARTS_WITH' ? delimiter : '';
  const after = operator === '=' || operator === 'ENDS_WITH' ? delimiter : '';
  return before + spelled(folded) + after;
}

/** Whether the trigram index helps to find the folded text: it needs three letters or digits in a row. */
export function isSearchable(folded: string): boolean {
  return /[a-z0-9]{3}/.test(spelled(folded));
}

/**
 * Spells each non-ASCII character in letters and digits, `ü` as `q70`. The trigram index takes its letters from the database's locale, and
 * the locale "C" has only ASCII letters. Each character is spelled alone, so a substring stays a substring.
 */
function spelled(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, character => `q${character.codePointAt(0)!.toString(36)}`);
}

/** Escapes the text for use as a literal part of a LIKE pattern. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}
