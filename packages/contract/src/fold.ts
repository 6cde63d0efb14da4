/**
 * The version of the folding, stored with every folded value. Raise it with any change of `fold`, and with a runtime whose Unicode tables
 * change case mapping or composition. Rows of older versions must then be folded again.
 */
export const foldVersion = 1;

const asciiOnly = /^[\0-\x7f]*$/;

/**
 * Returns the form in which strings are compared, searched and sorted by code point (specification.md 3.4). Idempotent. Texts fold to the same
 * form if they differ only in letter case or canonically equivalent spelling: `STRASSE` = `straße`, `İ` = `ı` = `i`, final and medial sigma.
 */
export function fold(text: string): string {
  if (asciiOnly.test(text)) return text.toLowerCase();
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(/i\u0307+/g, 'i')
    .normalize('NFC');
}

/** Letters without a decomposition, by what they are read as. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};

/** Returns folded text without accents. */
export function foldAccents(folded: string): string {
  if (asciiOnly.test(folded)) return folded;
  return folded
    .normalize('NFD')
    .replace(/[\u0300-\u036F]/g, '')
    .replace(/[øłđðħŧæœþ]/g, letter => plainLetters[letter]!);
}

const spelledUmlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** The forms in which the search of the portal compares folded text: without accents, and with umlauts spelled out, `muller` and `mueller`. */
export function searchForms(folded: string): string[] {
  const spelled = folded.replace(/[äöüøå]/g, letter => spelledUmlauts[letter]!);
  return [...new Set([foldAccents(folded), foldAccents(spelled)])];
}

/** Most words of a text that are searched for. */
const maxWords = 8;

/** The words of a text that a user searches for. A comma may stand between last and first name. */
export function wordsOf(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .slice(0, maxWords);
}

/** The text that {@link finderOf} looks in. */
export function searchedText(...texts: readonly string[]): string {
  return texts.flatMap(text => searchForms(fold(text))).join('\n');
}

/** Returns whether a {@link searchedText} contains each word that a user typed, with or without its accents. */
export function finderOf(typed: string): (searched: string) => boolean {
  const words = wordsOf(fold(typed)).map(searchForms);
  return searched => words.every(forms => forms.some(form => searched.includes(form)));
}
