import { useLingui } from '@lingui/react/macro';
import { day, monthName } from '../../kit/dates.ts';
import { useKindWords } from '../../kit/hr-words.tsx';
import { money } from '../../kit/numbers.ts';
import type { BarPart } from '../../kit/charts/parts-bar.tsx';
import { type Kind, type Receipt, type RunDetails, useMeaningWords, useRuleWords } from './words.tsx';

/** What is said about an amount: on the page, on paper and in a text. */
export interface ReceiptTexts {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly bars: readonly (readonly BarPart[])[];
  readonly facts: readonly { readonly name: string; readonly text: string }[];
}

type Computation = NonNullable<Receipt['computation']>;
type Terms = NonNullable<Computation['terms']>;

const euros = (amount: string) => money(amount, 'EUR');
const isNegative = (amount: string) => amount.startsWith('-');
const cents = (amount: string) => Math.round(100 * Number(amount));
const eurosOf = (cents: number) => euros((cents / 100).toFixed(2));

/** Explains an amount; `run` is the one that exported it, once it is loaded. */
export function useReceiptTexts(): (receipt: Receipt, run: RunDetails | undefined) => ReceiptTexts {
  const kinds = useKindWords();
  const lead = useLead();
  const termsOf = useTerms();
  const monthOf = useMonth();
  const factsOf = useFacts();
  return (receipt, run) => {
    const { kind, month, amount, computation } = receipt;
    const terms = computation?.terms ? termsOf(kind, computation.terms, computation.rate) : null;
    return {
      title: `${kinds[kind]}, ${monthName(month)}: ${euros(amount)}`,
      sentences: [lead(receipt), ...(terms?.sentences ?? []), ...monthOf(receipt)],
      bars: terms?.bars ?? [],
      facts: factsOf(receipt, run),
    };
  };
}

/** The sentence that answers what the amount is. */
function useLead() {
  const { t } = useLingui();
  return ({ kind, month: period, amount: signed }: Receipt): string => {
    const month = monthName(period);
    const amount = euros(signed.replace('-', ''));
    const isBack = isNegative(signed);
    switch (kind) {
      case 'salary_conversion':
        return isBack
          ? t`${amount} of the salary conversion of ${month} are paid back.`
          : t`${amount} of the salary of ${month} are converted.`;
      case 'taxable_benefit':
        return isBack
          ? t`For the use of the bike in ${month}, ${amount} less are taxed.`
          : t`For the use of the bike in ${month}, ${amount} are taxed.`;
      case 'employer_subsidy':
        return isBack
          ? t`The company takes back ${amount} of its subsidy for ${month}.`
          : t`The company pays a subsidy of ${amount} for ${month}.`;
    }
  };
}

/** How the rate of the contract follows from its amounts. */
function useTerms() {
  const { t } = useLingui();
  const names = { leasing: t`Leasing`, insurance: t`Insurance`, service: t`Service` };
  const tones = { leasing: 'first', insurance: 'second', service: 'third' } as const;
  const partsOf = (amounts: Record<keyof typeof names, string>): BarPart[] =>
    (['leasing', 'insurance', 'service'] as const)
      .filter(each => cents(amounts[each]) > 0)
      .map(each => ({
        name: names[each],
        size: cents(amounts[each]),
        label: euros(amounts[each]),
        tone: tones[each],
      }));
  const textOf = (parts: readonly BarPart[]) =>
    parts.map(({ name, label }) => `${name} ${label}`).join(' + ');
  const benefitText = ({ rule, listPrice, base, amount }: Terms['benefits'][number]) => {
    if (listPrice === null || rule === 'none')
      return t`A product without a taxable benefit: ${euros(amount)}.`;
    const [price, hundreds, benefit] = [euros(listPrice), euros(base), euros(amount)];
    // Cut off, not rounded up to the next hundred.
    const quarter = eurosOf(Math.floor(cents(listPrice) / 4));
    return rule === 'quarter'
      ? t`A quarter of the list price of ${price} is ${quarter}, rounded down to ${hundreds}. 1 % of it is ${benefit} a month.`
      : t`The list price of ${price} is rounded down to ${hundreds}. 1 % of it is ${benefit} a month.`;
  };
  return (kind: Kind, terms: Terms, rate: string): Pick<ReceiptTexts, 'sentences' | 'bars'> => {
    const result = euros(rate);
    const subsidies = partsOf({
      leasing: terms.leasingRateSubsidy,
      insurance: terms.insuranceRateSubsidy,
      service: terms.serviceRateSubsidy,
    });
    if (kind === 'employer_subsidy')
      return { sentences: [t`Each month: ${textOf(subsidies)} = ${result}.`], bars: [subsidies] };
    if (kind === 'taxable_benefit') {
      const prices = terms.benefits.filter(({ listPrice }) => listPrice !== null);
      const price = prices.reduce((sum, { listPrice }) => sum + cents(listPrice!), 0);
      const base = prices.reduce((sum, each) => sum + cents(each.base), 0);
      const rest = { name: t`Rest of the list price`, size: price - base, tone: 'taken' as const };
      const taxed = { name: t`1 % of this is taxed`, size: base, tone: 'result' as const };
      return {
        sentences: terms.benefits.map(benefitText),
        bars: price === 0 ? [] : [[taxed, rest].map(part => ({ ...part, label: eurosOf(part.size) }))],
      };
    }
    const rates = partsOf({
      leasing: terms.leasingRate,
      insurance: terms.insuranceRate,
      service: terms.serviceRate,
    });
    const subsidy = subsidies.reduce((sum, { size }) => sum + size, 0);
    const deducted = {
      name: t`Salary conversion`,
      size: cents(rate),
      label: result,
      tone: 'result' as const,
    };
    if (subsidy === 0)
      return { sentences: [t`Each month: ${textOf(rates)} = ${result}.`], bars: [rates, [deducted]] };
    const taken = { name: t`Subsidies`, size: subsidy, label: eurosOf(subsidy), tone: 'taken' as const };
    return {
      sentences: [t`Each month: ${textOf(rates)} − subsidies ${taken.label} = ${result}.`],
      bars: [rates, [deducted, taken]],
    };
  };
}

/** What is owed for the month by its days, and what was exported of it before. */
function useMonth() {
  const { t } = useLingui();
  const rules = useRuleWords();
  return ({ computation, owed, amount, source }: Receipt): string[] => {
    const before = cents(owed) - cents(amount);
    const isPart = source !== 'settled' && before !== 0;
    return [
      ...(computation === null ? [] : [daysText(computation, euros(owed))]),
      ...(isPart
        ? [t`${eurosOf(before)} were exported or settled before. The difference is ${euros(amount)}.`]
        : []),
    ];
  };
  function daysText({ rule, contractDays, daysOfMonth, suspendedDays }: Computation, owed: string): string {
    return suspendedDays === 0
      ? t`${rules[rule]} (${contractDays} of ${daysOfMonth} days): ${owed}.`
      : t`${rules[rule]} (${contractDays} of ${daysOfMonth} days, ${suspendedDays} of them on leave): ${owed}.`;
  }
}

function useFacts() {
  const { t } = useLingui();
  const meanings = useMeaningWords();
  return (receipt: Receipt, details: RunDetails | undefined): ReceiptTexts['facts'] => {
    const { source, meaning, contractNumber, computation, reason } = receipt;
    const sources = {
      run: t`Exported`,
      settled: t`Settled outside of Kontor`,
      open: isNegative(receipt.amount) ? t`Paid back with the next run` : t`Not exported yet`,
    };
    const version = computation?.contractVersion ?? 1;
    const booking = [
      receipt.booked && euros(receipt.booked),
      receipt.wageType && t`wage type ${receipt.wageType}`,
      receipt.costCenter && t`cost centre ${receipt.costCenter}`,
      receipt.personnelNumber && t`employee number ${receipt.personnelNumber}`,
    ].filter(Boolean);
    const files = details?.files.flatMap(({ fileName }) => fileName ?? []) ?? [];
    const released = details?.run.releasedAt;
    const all = [
      { name: t`State`, text: meaning === null ? sources[source] : meanings[meaning] },
      {
        name: t`Contract`,
        text: contractNumber && (version === 1 ? contractNumber : t`${contractNumber}, version ${version}`),
      },
      { name: t`Booking`, text: booking.join(', ') },
      {
        name: t`Run`,
        text:
          details &&
          released &&
          t`${monthName(details.run.period)}, released on ${day(released.slice(0, 10))}`,
      },
      { name: t`Files`, text: files.join(', ') },
      { name: t`Reason`, text: reason },
    ];
    return all.flatMap(({ name, text }) => (text ? [{ name, text }] : []));
  };
}
