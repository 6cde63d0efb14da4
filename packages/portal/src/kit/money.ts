import { inLanguage } from './dates.ts';

const amounts = inLanguage(
  (language, currency) => new Intl.NumberFormat(language, { style: 'currency', currency }),
);

/** An amount of the API (`83.10`) in the language of the page, such as €83.10 or 83,10 €. */
export function money(amount: string, currency: string): string {
  return amounts(currency).format(Number(amount));
}
