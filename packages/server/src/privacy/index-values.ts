import { fieldWords, type Language, valueWords } from './index-words.ts';
import type { SubjectContext } from './subject-context.ts';

const locales = { de: 'de-DE', en: 'en-GB' } as const;

/** Amounts of money, whatever the document. */
const amounts: ReadonlySet<string> = new Set([
  'grossAmount',
  'netAmount',
  'grossService',
  'netService',
  'listPrice',
  'purchasePrice',
  'residualValue',
  'leasingRate',
  'leasingRateSubsidy',
  'insuranceRate',
  'insuranceRateSubsidy',
  'serviceRate',
  'serviceRateSubsidy',
  'salaryConversion',
  'taxableBenefit',
]);

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Fields and values in the words of a language. A value without words is shown as it is stored: nothing may be missing. */
export class IndexValues {
  readonly #language: Language;
  readonly #context: SubjectContext;
  readonly #instants: Intl.DateTimeFormat;
  readonly #days: Intl.DateTimeFormat;
  readonly #months: Intl.DateTimeFormat;
  readonly #countries: Intl.DisplayNames;

  constructor(language: Language, context: SubjectContext) {
    const locale = locales[language];
    this.#language = language;
    this.#context = context;
    this.#instants = new Intl.DateTimeFormat(locale, {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: 'Europe/Berlin',
    });
    this.#days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    this.#months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    this.#countries = new Intl.DisplayNames([locale], { type: 'region' });
  }

  field(name: string, document = 'employee'): string {
    const words = fieldWords[`${document}.${name}`] ?? fieldWords[name];
    return words?.[this.#language] ?? name;
  }

  word(list: string, value: unknown): string {
    return valueWords[list]?.[String(value)]?.[this.#language] ?? textOf(value);
  }

  /** The name of who did something, or the kind where there is no name of a person. */
  actor(name: unknown, type: unknown): string {
    const kind = this.word('actor', type ?? name);
    return name === null || name === undefined || name === type ? kind : this.word('actor', name);
  }

  instant(text: string): string {
    const at = new Date(text);
    return Number.isNaN(at.getTime()) ? text : this.#instants.format(at);
  }

  money(text: string, currency: string): string {
    const number = Number(text);
    if (Number.isNaN(number)) return text;
    const digits = Math.max(2, text.split('.')[1]?.length ?? 0);
    return new Intl.NumberFormat(locales[this.#language], {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
    }).format(number);
  }

  text(name: string, value: unknown, document = 'employee'): string {
    if (value === null || value === undefined || value === '') return '–';
    if (typeof value === 'boolean') return this.word('boolean', value);
    const text = textOf(value);
    if (name === 'tenant') return this.#context.company ?? text;
    if (name === 'divisionId') return this.#division(text);
    if (name === 'countryCode') return /^[A-Z]{2}$/.test(text) ? this.#countries.of(text)! : text;
    if (amounts.has(name)) return this.money(text, 'EUR');
    if (name === 'vatRate') return Number(text).toLocaleString(locales[this.#language]);
    const list = valueWords[`${document}.${name}`] === undefined ? name : `${document}.${name}`;
    if (valueWords[list]?.[text] !== undefined) return this.word(list, text);
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return this.instant(text);
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return this.#days.format(new Date(text));
    if (/^\d{4}-\d\d$/.test(text)) return this.#months.format(new Date(`${text}-01`));
    return text;
  }

  /** The history has earlier divisions. Their names are not stored. */
  #division(id: string): string {
    const { division, divisionId } = this.#context;
    return id === divisionId && division !== null ? division : id;
  }
}
