import type { ContractAmounts, OrderContract, PayrollTerms } from '@kontor/contract';
import { amount, cents } from '../../../lib/money.ts';
import type { Kind } from './owed.ts';

type Benefit = PayrollTerms['benefits'][number];

/** What is stored about the amounts of an order. */
export interface StoredTerms {
  readonly contract: OrderContract | null;
  /** The amounts of each version; empty where none has changed them. */
  readonly amounts: readonly ContractAmounts[];
  /** Null: the benefit follows from the list price of the contract. */
  readonly products: readonly Pick<Benefit, 'rule' | 'listPrice'>[] | null;
}

/**
 * The amounts that the rate of a version follows from. Null where they do not give that rate: a handover or a withdrawal has changed them since,
 * or the benefit was imported with another rule.
 */
export function termsOf(
  { contract, amounts, products }: StoredTerms,
  { kind, version, rate }: { kind: Kind; version: number; rate: bigint },
): PayrollTerms | null {
  const ofVersion =
    amounts.length === 0 && version === 1 ? contract : amounts.find(each => each.version === version);
  if (!ofVersion) return null;
  const {
    leasingRate,
    leasingRateSubsidy,
    insuranceRate,
    insuranceRateSubsidy,
    serviceRate,
    serviceRateSubsidy,
  } = ofVersion;
  const { listPrice } = ofVersion;
  const benefits = (products ?? [{ rule: 'quarter', listPrice } as const]).map(benefitOf);
  const subsidy = sum([leasingRateSubsidy, insuranceRateSubsidy, serviceRateSubsidy]);
  const given: Record<Kind, bigint> = {
    salary_conversion: sum([leasingRate, insuranceRate, serviceRate]) - subsidy,
    taxable_benefit: sum(benefits.map(benefit => benefit.amount)),
    employer_subsidy: subsidy,
  };
  if (given[kind] !== rate) return null;
  const insurance = { insuranceRate, insuranceRateSubsidy };
  return { leasingRate, leasingRateSubsidy, ...insurance, serviceRate, serviceRateSubsidy, benefits };
}

function sum(amounts: readonly string[]): bigint {
  return amounts.reduce((all, one) => all + cents(one), 0n);
}

/** The part of a list price that the benefit is one per cent of. */
const parts = { quarter: 4n, full: 1n, none: null } as const;

function benefitOf({ rule, listPrice }: Pick<Benefit, 'rule' | 'listPrice'>): Benefit {
  const part = parts[rule];
  if (part === null || listPrice === null) return { rule, listPrice: null, base: '0.00', amount: '0.00' };
  const hundreds = cents(listPrice) / (part * 10_000n);
  return { rule, listPrice, base: amount(hundreds * 10_000n), amount: amount(hundreds * 100n) };
}
