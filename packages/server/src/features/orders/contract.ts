import {
  OrderContract,
  type OrderHandover,
  type OrderIntake,
  OrderProduct,
  type OrderProductIntake,
  unprocessable,
} from '@kontor/contract';
import { lastDayOfTerm } from '../../lib/calendar.ts';
import { amount, cents } from '../../lib/money.ts';
import { withNulls } from '../../lib/with-nulls.ts';
import type { OrderData, ProductBenefit } from './mapping.ts';

/** The amounts that the employee bears, as decimal strings with two places. */
export interface Derived {
  readonly salaryConversion: string;
  readonly taxableBenefit: string;
}

/** The rates of a contract. The employer's share of each has the suffix `Subsidy`. */
export const rates = ['leasingRate', 'insuranceRate', 'serviceRate'] as const;

/** The list price in cents for each 1.00 of taxable benefit: one per cent of a full hundred of its quarter, or of the whole. */
const listPriceSteps = { quarter: 40_000n, full: 10_000n } as const;

function benefitOf({ rule, listPrice }: ProductBenefit): bigint {
  return rule === 'none' ? 0n : (cents(listPrice!) / listPriceSteps[rule]) * 100n;
}

/**
 * Computes the derived amounts (specification.md 5.4). The salary conversion is the sum of the rates less the employer's shares. The
 * taxable benefit is one per cent of a quarter of the list price, rounded down to full 100, or the sum of the benefits of the products. It is zero
 * when the employer pays everything.
 */
export function derive(
  contract: Pick<OrderContract, 'listPrice' | (typeof rates)[number] | `${(typeof rates)[number]}Subsidy`>,
  products: readonly ProductBenefit[] | null = null,
): Derived {
  const shares = rates.map(rate => cents(contract[rate]) - cents(contract[`${rate}Subsidy`]));
  const conversion = shares.reduce((sum, share) => sum + share, 0n);
  const benefits = products ?? [{ rule: 'quarter', listPrice: contract.listPrice } as const];
  const benefit = benefits.reduce((sum, product) => sum + benefitOf(product), 0n);
  return {
    salaryConversion: amount(conversion),
    taxableBenefit: amount(conversion === 0n ? 0n : benefit),
  };
}

/** The largest amount in cents that the API's schema allows. */
const maxCents = 999_999_999_999_99n;

/** The sum of the rates in cents per month, before the employer's share. */
export function monthlyRate(contract: Pick<OrderContract, (typeof rates)[number]>): bigint {
  return rates.reduce((sum, rate) => sum + cents(contract[rate]), 0n);
}

/** Describes what is wrong with a contract. */
function contractProblem(contract: OrderContract): string | null {
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
  return null;
}

type Rate = (typeof rates)[number];

export function subsidyOf<R extends Rate>(rate: R): `${R}Subsidy` {
  return `${rate}Subsidy`;
}

/** An order as an intake or a line of an import has it: nullable fields may be absent. */
export type GivenOrder = Pick<
  OrderIntake,
  'orderNumber' | 'products' | 'contract' | 'sPedelec' | 'submittedAt'
>;

/** Completes a new order without a decision. @throws ApiError 422 VALIDATION_ERROR for inconsistent amounts or dates of the contract */
export function completeOrder({
  orderNumber,
  products,
  contract,
  sPedelec,
  submittedAt,
}: GivenOrder): OrderData {
  const productBenefits = benefitsOf(products);
  return {
    orderNumber,
    status: 'under_review',
    products: products.map(product => withNulls(OrderProduct, product)),
    contract: contract ? completeContract(contract, productBenefits) : null,
    productBenefits,
    sPedelec: sPedelec ?? false,
    hrHistory: null,
    submittedAt: new Date(submittedAt).toISOString(),
  };
}

/** Null unless a product names a list price or a rule. @throws ApiError 422 VALIDATION_ERROR for a product without a list price */
function benefitsOf(products: readonly OrderProductIntake[]): ProductBenefit[] | null {
  if (products.every(({ listPrice, benefitRule }) => listPrice === undefined && benefitRule === undefined))
    return null;
  return products.map(({ listPrice = null, benefitRule: rule = 'quarter' }, index) => {
    const name = `products[${index}].listPrice`;
    if (rule === 'none') return { rule, listPrice: null };
    if (listPrice === null)
      throw unprocessable(`${name} is required: the taxable benefit is the sum over all products`);
    if (cents(listPrice) < 0n) throw unprocessable(`${name} must not be negative`);
    return { rule, listPrice };
  });
}

/** Adds the derived amounts to a contract, and checks the ones sent. */
function completeContract(
  given: NonNullable<OrderIntake['contract']>,
  productBenefits: readonly ProductBenefit[] | null,
): OrderContract {
  const contract = withNulls(OrderContract, given);
  const problem = contractProblem(contract);
  if (problem !== null) throw unprocessable(problem);
  const derived = derive(contract, productBenefits);
  for (const name of ['salaryConversion', 'taxableBenefit'] as const)
    if (given[name] !== undefined && given[name] !== derived[name])
      throw unprocessable(
        `${name} must be ${derived[name]}, which follows from the other amounts; or leave it out`,
      );
  return { ...contract, ...derived };
}

/**
 * The contract after a handover with its dates, number and final amounts. Without an end it runs to the last day of its term.
 * @throws ApiError 422 VALIDATION_ERROR without a contract or a first day, for days in the wrong order, and for amounts that do not fit
 */
export function handOver(
  contract: OrderContract | null,
  { contractNumber, ...body }: OrderHandover,
  productBenefits: readonly ProductBenefit[] | null,
): OrderContract {
  if (contract === null) throw unprocessable('contract: the order has none, so it cannot be handed over');
  const { startDate = contract.startDate, endDate: sentEnd, ...amounts } = body;
  if (startDate === null) throw unprocessable('startDate is required, since the contract has none yet');
  const endDate = sentEnd ?? contract.endDate ?? lastDayOfTerm(startDate, contract.termMonths);
  if (endDate === null) throw unprocessable('endDate is required: the term ends after the year 9999');
  const days = { contractNumber: contractNumber ?? contract.contractNumber, startDate, endDate };
  return withAmounts({ ...contract, ...days }, amounts, { productBenefits });
}

/**
 * A contract with other amounts, and what follows from them. Without any, what was derived stays as it is stored.
 * @throws ApiError 422 VALIDATION_ERROR for amounts that do not fit
 */
export function withAmounts(
  contract: OrderContract,
  amounts: Partial<OrderContract>,
  { productBenefits, from }: { productBenefits: readonly ProductBenefit[] | null; from?: string },
): OrderContract {
  if (amounts.listPrice !== undefined && productBenefits !== null)
    throw unprocessable(
      'listPrice cannot change: the products have list prices, from which the benefit follows',
    );
  const changed = { ...contract, ...amounts };
  const problem = contractProblem(changed);
  if (problem !== null) throw unprocessable(from === undefined ? problem : `From ${from}: ${problem}`);
  return Object.keys(amounts).length === 0 ? changed : { ...changed, ...derive(changed, productBenefits) };
}
