import { emptyCell, problemIn, type Reading, valueRead } from './reading.ts';
import { readText } from './text.ts';

export type DecimalSeparator = ',' | '.';

/**
 * Numbers by their decimal separator. The other one separates groups of three digits (`1.234.567,89`); so do the apostrophe (Swiss) and white
 * space (ISO 80000-1). A group does not begin with 0: `0.123` is a fraction.
 */
const numbers: Readonly<Record<DecimalSeparator, RegExp>> = {
  ',': /^(?<whole>\d+|[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:['’]\d{3})+|(?:\s\d{3})+))(?:,(?<fraction>\d+))?$/,
  '.': /^(?<whole>\d+|[1-9]\d{0,2}(?:(?:,\d{3})+|(?:['’]\d{3})+|(?:\s\d{3})+))(?:\.(?<fraction>\d+))?$/,
};

/**
 * Reads a number in German or English, perhaps with a sign (SAP writes it after the number) and the sign of the euro. Returns it as a decimal
 * string: `1.234,50 €` is `1234.50`. `1.234` is ambiguous unless the caller knows the decimal separator.
 */
export function readDecimal(cell: string, decimalSeparator: DecimalSeparator | null = null): Reading<string> {
  const { value: text, problem } = readText(cell);
  if (problem) return { value: null, problem };
  if (text === null) return emptyCell;
  const { digits, isNegative } = splitSign(text.length > 50 ? '' : text);
  const separators = decimalSeparator === null ? ([',', '.'] as const) : [decimalSeparator];
  const values = new Set(separators.flatMap(separator => parseNumber(digits, separator) ?? []));
  const [value] = values;
  if (value === undefined) return problemIn(text, 'not_number');
  if (values.size > 1) return problemIn(text, 'ambiguous_number');
  return valueRead(isNegative && /[1-9]/.test(value) ? `-${value}` : value);
}

function splitSign(text: string): { digits: string; isNegative: boolean } {
  const number = text.replace(/^(?:€|EUR)\s?|\s?(?:€|EUR)$/, '');
  return {
    digits: number.replace(/^[+\-−]\s?|(?<=\d)-$/, ''),
    isNegative: /^[-−]|-$/.test(number),
  };
}

function parseNumber(digits: string, separator: DecimalSeparator): string | null {
  const groups = numbers[separator].exec(digits)?.groups;
  if (!groups) return null;
  const whole = groups['whole']!.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  return groups['fraction'] === undefined ? whole : `${whole}.${groups['fraction']}`;
}
