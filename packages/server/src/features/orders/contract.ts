import type { OrderContract } from '@kontor/contract';

/** What the employee bears of a contract, as decimal strings with two places. */
export interface Derived {
  readonly salaryConversion: string;
  readonly taxableBenefit: string;
}

/** The names of the rates of a contract; the employer's share of each has the name with `Subsidy`. */
export const rates = ['leasingRate', 'insuranceRate', 'serviceRate'] as const;

/** A quarter of a list price counts in full hundreds: of cents of the list price, one step is four times 100.00. */
const listPriceStep = 4n * 10_000n;

/** One per cent of a full hundred, in cents. */
const benefitStep = 100n;

/**
 * What follows from the other amounts of a contract (specification.md 5.4): the salary conversion is the rates
 * less the employer's shares; the taxable benefit is one per cent of a quarter of the list price rounded down to full 100,
 * and nothing where the employer pays all. The amounts are decimal strings with two places, not negative.
 */
export function derive(
  contract: Pick<OrderContract, 'listPrice' | (typeof rates)[number] | `${(typeof rates)[number]}Subsidy`>,
): Derived {
  const shares = rates.map(rate => cents(contract[rate]) - cents(contract[`${rate}Subsidy`]));
  const conversion = shares.reduce((sum, share) => sum + share, 0n);
  const benefit = (cents(contract.listPrice) / listPriceStep) * benefitStep;
  return {
    salaryConversion: amount(conversion),
    taxableBenefit: amount(conversion === 0n ? 0n : benefit),
  };
}

/** The largest amount that the contract of the API has a form for, in cents. */
const maxCents = 999_999_999_999_99n;

/** All rates of a contract together, in cents a month: what the leasing costs before the employer takes a share. */
export function monthlyRate(contract: Pick<OrderContract, (typeof rates)[number]>): bigint {
  return rates.reduce((sum, rate) => sum + cents(contract[rate]), 0n);
}

/** A decimal string with two places in cents. */
export function cents(text: string): bigint {
  return BigInt(text.replace('.', ''));
}

/** Cents as a decimal string with two places. */
export function amount(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * What is wrong with the amounts and dates of a contract, in words; null when nothing is. `expected` has the derived
 * amounts that are to be checked, null where they are not.
 */
export function contractProblem(
  contract: OrderContract,
  expected: { readonly [Name in keyof Derived]: string | null },
): string | null {
  for (const name of [
    'listPrice',
    'purchasePrice',
    'residualValue',
    ...rates,
    ...rates.map(subsidyOf),
  ] as const)
    if (contract[name] !== null && cents(contract[name]) < 0n) return `${name} must not be negative`;
  for (const rate of rates)
    if (cents(contract[subsidyOf(rate)]) > cents(contract[rate]))
      return `${subsidyOf(rate)} must not exceed ${rate}`;
  if (monthlyRate(contract) > maxCents)
    return `${rates.join(', ')} must not be more than ${amount(maxCents)} together`;
  if (contract.startDate !== null && contract.endDate !== null && contract.endDate < contract.startDate)
    return 'endDate must not be before startDate';
  for (const name of ['salaryConversion', 'taxableBenefit'] as const)
    if (expected[name] !== null && contract[name] !== expected[name])
      return `${name} must be ${expected[name]}, which follows from the other amounts; or leave it out`;
  return null;
}

type Rate = (typeof rates)[number];

function subsidyOf<R extends Rate>(rate: R): `${R}Subsidy` {
  return `${rate}Subsidy`;
}
