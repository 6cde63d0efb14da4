/**
 * The version of the folding, stored beside every folded value. Raise it with any change of `fold`, and with a runtime
 * whose Unicode tables case or compose characters differently: rows of an older version have to be folded again.
 */
export const foldVersion = 1;

const asciiOnly = /^[\0-\x7f]*$/;

/**
 * The form in which strings are compared, searched and sorted, by code point: equal for texts that differ in letter case
 * or in canonically equivalent spelling only (specification.md 3.4). `STRASSE` = `straße`,
 * `İ` = `ı` = `i`, final and other sigma are one. Idempotent.
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
