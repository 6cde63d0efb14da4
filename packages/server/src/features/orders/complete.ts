import { OrderContract, OrderProduct, unprocessable } from '@kontor/contract';
import type { TObject } from 'typebox';
import { contractProblem, derive } from './contract.ts';

type Json = Readonly<Record<string, unknown>>;

/** How a part of an order that was given is completed. */
interface Completion {
  /** The part with null where a nullable property is absent. */
  withNulls(given: Json): Record<string, unknown>;
  /** The part with its properties in the order of the contract, and no others. */
  inOrder(whole: Json): Record<string, unknown>;
}

/** How a part with this schema is completed. */
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

/**
 * A contract whose amounts are of their form, with what follows from them; that may be absent, and is checked where it is given.
 * @throws ApiError 422 VALIDATION_ERROR for amounts and dates that do not go together.
 */
export function completeContract(given: Json): OrderContract {
  // Until they are computed these stand in where they are absent.
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
