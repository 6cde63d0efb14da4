import { OrderContract, type OrderHandover, OrderProduct, unprocessable } from '@kontor/contract';
import type { TObject } from 'typebox';
import { lastDayOfTerm } from '../../lib/calendar.ts';
import { amount, cents } from '../../lib/money.ts';

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

/** Describes what is wrong with a contract. Null values of `expected` are not compared. */
function contractProblem(
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

type Json = Readonly<Record<string, unknown>>;

interface Completion {
  /** Adds null for absent nullable properties. */
  withNulls(given: Json): Record<string, unknown>;
  /** Keeps the properties of the schema, in its order. */
  inOrder(whole: Json): Record<string, unknown>;
}

export function completionOf(schema: TObject): Completion {
  const properties = Object.entries(schema.properties as Record<string, { type?: unknown }>);
  const names = properties.map(([name]) => name);
  const nullable = properties.filter(([, { type }]) => Array.isArray(type)).map(([name]) => name);
  return {
    withNulls: given => {
      const whole = { ...given };
      for (const name of nullable) whole[name] ??= null;
      return whole;
    },
    inOrder: whole => Object.fromEntries(names.map(name => [name, whole[name]])),
  };
}

export const productCompletion = completionOf(OrderProduct);
export const contractCompletion = completionOf(OrderContract);

/** Adds the derived amounts to a contract, and checks the ones sent. @throws ApiError 422 VALIDATION_ERROR for inconsistent amounts or dates */
export function completeContract(given: Json): OrderContract {
  // Placeholders until the amounts are computed.
  const whole = contractCompletion.withNulls({ salaryConversion: '0.00', taxableBenefit: '0.00', ...given });
  const contract = contractCompletion.inOrder(whole) as OrderContract;
  const derived = derive(contract);
  const problem = contractProblem(contract, {
    salaryConversion: given['salaryConversion'] === undefined ? null : derived.salaryConversion,
    taxableBenefit: given['taxableBenefit'] === undefined ? null : derived.taxableBenefit,
  });
  if (problem !== null) throw unprocessable(problem);
  return { ...contract, ...derived };
}

/**
 * The contract after a handover with its dates and number. Without an end it runs to the last day of its term.
 * @throws ApiError 422 VALIDATION_ERROR without a contract or a first day, and for days in the wrong order
 */
export function handOver(contract: OrderContract | null, body: OrderHandover): OrderContract {
  if (contract === null)
    throw unprocessable('contract: the order has none, and only one with a contract can be handed over');
  const startDate = body.startDate ?? contract.startDate;
  if (startDate === null) throw unprocessable('startDate is required, since the contract has none yet');
  const endDate = body.endDate ?? contract.endDate ?? lastDayOfTerm(startDate, contract.termMonths);
  if (endDate === null) throw unprocessable('endDate is required: the term ends after the year 9999');
  if (endDate < startDate) throw unprocessable('endDate must not be before startDate');
  return { ...contract, contractNumber: body.contractNumber ?? contract.contractNumber, startDate, endDate };
}
