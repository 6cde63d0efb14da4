import { inLanguage } from './dates.ts';

const amounts = inLanguage(
  (language, currency) => new Intl.NumberFormat(language, { style: 'currency', currency }),
);

/** An amount of the API (`83.10`) in the language of the page, such as €83.10 or 83,10 €. */
export function money(amount: string, currency: string): string {
  return amounts(currency).format(amount as Intl.StringNumericLiteral);
}

/** The symbol of a currency, and whether the language of the page writes it before the amount. */
export function currencySymbol(currency: string): { text: string; isFirst: boolean } {
  const parts = amounts(currency).formatToParts(1);
  const at = parts.findIndex(({ type }) => type === 'currency');
  return { text: parts[at]!.value, isFirst: at === 0 };
}
