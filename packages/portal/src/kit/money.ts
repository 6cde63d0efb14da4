import { i18n } from '@lingui/core';

/** An amount of the API (`83.10`) in the language of the page, such as €83.10 or 83,10 €. */
export function money(amount: string, currency: string): string {
  return new Intl.NumberFormat(i18n.locale, { style: 'currency', currency }).format(Number(amount));
}
