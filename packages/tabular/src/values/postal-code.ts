import { emptyCell, problemIn, type Reading, valueRead } from './reading.ts';
import { readText } from './text.ts';

/**
 * Reads a postal code of a country, which may be unknown. German ones have five digits; a spreadsheet drops the first zero. A shorter number is a
 * question unless the country is another one: `1067` is in Dresden, or in Austria. `D-01067` is `01067`.
 */
export function readPostalCode(cell: string, countryCode: string | null): Reading<string> {
  const { value: text, problem } = readText(cell);
  if (problem) return { value: null, problem };
  if (text === null) return emptyCell;
  if (countryCode !== 'DE' && countryCode !== null) return valueRead(text);
  const code = text.replace(/^(?:D|DE)[\s–-]{0,3}(?=\d{5}$)/i, '');
  if (/^\d{1,4}$/.test(code))
    return problemIn(text, 'short_postal_code', code.length === 4 ? `0${code}` : null);
  return valueRead(code);
}
