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
