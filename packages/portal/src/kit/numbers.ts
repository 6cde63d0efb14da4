import { inLanguage } from './dates.ts';

/** Decimals of an amount of money. */
export const moneyPlaces = 2;

/** Whether a field has a decimal of the API, such as `1234.50`, and not a text that could not be read. */
export const isDecimal = (value: string): boolean => /^-?\d+(\.\d+)?$/.test(value);

const separators = inLanguage(language => {
  const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.8);
  const of = (type: string) => parts.find(part => part.type === type)!.value;
  return { group: of('group'), decimal: of('decimal') };
});

const escaped = (separator: string) => (separator === '.' ? String.raw`\.` : separator);

/**
 * Reads a number as the language of the page writes it; null: it is none, or has too many decimals. A separator of the other language is a
 * decimal point where it cannot separate thousands, so `12.50` is never read as 1250. It never passes through floating point.
 * @param places decimals that the result has; undefined: as many as are written
 */
export function parseDecimal(text: string, places?: number): string | null {
  const { group, decimal } = separators();
  const written = text.replaceAll(/[\s\p{Sc}]/gu, '').replace('−', '-');
  const [g, d] = [escaped(group), escaped(decimal)];
  const found =
    new RegExp(`^(?<sign>-?)(?<whole>\\d+|[1-9]\\d{0,2}(${g}\\d{3})+)(${d}(?<rest>\\d*))?$`).exec(written) ??
    new RegExp(`^(?<sign>-?)(?<whole>\\d+)${g}(?<rest>\\d+)$`).exec(written);
  if (!found) return null;
  const { sign = '', whole = '', rest = '' } = found.groups!;
  if (places !== undefined && rest.length > places) return null;
  const digits = whole.replaceAll(group, '').replace(/^0+(?=\d)/, '');
  const decimals = rest.padEnd(places ?? 0, '0');
  const number = decimals === '' ? digits : `${digits}.${decimals}`;
  return /[1-9]/.test(number) ? sign + number : number;
}

/** A decimal of the API with the separators of the language of the page. */
export function formatDecimal(value: string): string {
  const { group, decimal } = separators();
  const [whole = '', rest] = value.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, group);
  return rest === undefined ? grouped : grouped + decimal + rest;
}

const amounts = inLanguage(
  (language, currency) => new Intl.NumberFormat(language, { style: 'currency', currency }),
);

/** An amount of the API (`83.10`) in the language of the page, such as €83.10 or 83,10 €. */
export function money(amount: string, currency: string): string {
  return amounts(currency).format(amount as Intl.StringNumericLiteral);
}

/** The sum of amounts of the API with two decimals. It never passes through floating point. */
export function sumOf(amounts: readonly string[]): string {
  const cents = amounts.reduce((sum, amount) => sum + BigInt(amount.replace('.', '')), 0n);
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The symbol of a currency, and whether the language of the page writes it before the amount. */
export function currencySymbol(currency: string): { text: string; isFirst: boolean } {
  const parts = amounts(currency).formatToParts(1);
  const at = parts.findIndex(({ type }) => type === 'currency');
  return { text: parts[at]!.value, isFirst: at === 0 };
}

const sizes = inLanguage((language, unit) => {
  // The short form of bytes has no plural.
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
});

/** The size of a file, such as 17 bytes, 48.2 kB or 3,1 MB. */
export function size(bytes: number): string {
  if (bytes < 1_000) return sizes('byte').format(bytes);
  return bytes < 1_000_000
    ? sizes('kilobyte').format(bytes / 1_000)
    : sizes('megabyte').format(bytes / 1_000_000);
}
