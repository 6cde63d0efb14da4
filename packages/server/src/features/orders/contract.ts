import {
  OrderContract,
  type OrderHandover,
  type OrderIntake,
  OrderProduct,
  unprocessable,
} from '@kontor/contract';
import { lastDayOfTerm } from '../../lib/calendar.ts';
import { amount, cents } from '../../lib/money.ts';
import { withNulls } from '../../lib/with-nulls.ts';
import type { OrderData } from './mapping.ts';

/** The amounts that the employee bears, as decimal strings with two places. */
export interface Derived {
  readonly salaryConversion: string;
  readonly taxableBenefit: string;
}

/** The rates of a contract. The employer's share of each has the suffix `Subsidy`. */
export const rates = ['leasingRate', 'insuranceRate', 'serviceRate'] as const;

/** The list price in cents for each full 100.00 of its quarter. */
const listPriceStep = 4n * 10_000n;

/** One per cent of a full hundred, in cents. */
const benefitStep = 100n;

/**
 * Computes the derived amounts (specification.md 5.4). The salary conversion is the sum of the rates less the employer's shares. The
 * taxable benefit is one per cent of a quarter of the list price, rounded down to full 100. It is zero when the employer pays everything.
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

/** The largest amount in cents that the API's schema allows. */
const maxCents = 999_999_999_999_99n;

/** The sum of the rates in cents per month, before the employer's share. */
export function monthlyRate(contract: Pick<OrderContract, (typeof rates)[number]>): bigint {
  return rates.reduce((sum, rate) => sum + cents(contract[rate]), 0n);
}

/** Describes what is wrong with a contract. */
export function contractProblem(contract: OrderContract): string | null {
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
  return {
    orderNumber,
    status: 'under_review',
    products: products.map(product => withNulls(OrderProduct, product)),
    contract: contract ? completeContract(contract) : null,
    sPedelec: sPedelec ?? false,
    hrHistory: null,
    submittedAt: new Date(submittedAt).toISOString(),
  };
}

/** Adds the derived amounts to a contract, and checks the ones sent. */
function completeContract(given: NonNullable<OrderIntake['contract']>): OrderContract {
  const contract = withNulls(OrderContract, given);
  const problem = contractProblem(contract);
  if (problem !== null) throw unprocessable(problem);
  const derived = derive(contract);
  for (const name of ['salaryConversion', 'taxableBenefit'] as const)
    if (given[name] !== undefined && given[name] !== derived[name])
      throw unprocessable(
        `${name} must be ${derived[name]}, which follows from the other amounts; or leave it out`,
      );
  return { ...contract, ...derived };
}

/**
 * The contract after a handover with its dates and number. Without an end it runs to the last day of its term.
 * @throws ApiError 422 VALIDATION_ERROR without a contract or a first day, and for days in the wrong order
 */
export function handOver(contract: OrderContract | null, body: OrderHandover): OrderContract {
  if (contract === null) throw unprocessable('contract: the order has none, so it cannot be handed over');
  const startDate = body.startDate ?? contract.startDate;
  if (startDate === null) throw unprocessable('startDate is required, since the contract has none yet');
  const endDate = body.endDate ?? contract.endDate ?? lastDayOfTerm(startDate, contract.termMonths);
  if (endDate === null) throw unprocessable('endDate is required: the term ends after the year 9999');
  if (endDate < startDate) throw unprocessable('endDate must not be before startDate');
  return { ...contract, contractNumber: body.contractNumber ?? contract.contractNumber, startDate, endDate };
}
