const asciiOnly = /^[\0-\x7f]*$/;

/**
 * The form in which the service compares, searches and sorts texts: two of them are equal in a filter if they fold to the same form, such as
 * `MÜLLER` and `Müller`. Sorting is by code point.
 */
export function fold(text: string): string {
  if (asciiOnly.test(text)) return text.toLowerCase();
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/ς/g, 'σ')
    .replace(/i\u0307+/g, 'i')
    .normalize('NFC');
}
