import { type OrderContract, type OrderHandover, unprocessable } from '@kontor/contract';

/**
 * The contract of an order that is handed over: what it says already holds unless the handover says otherwise, and without an end
 * it runs to the last day of its term.
 * @throws ApiError 422 VALIDATION_ERROR without a contract or a first day, and for days in the wrong order
 */
export function handedOver(contract: OrderContract | null, body: OrderHandover): OrderContract {
  if (contract === null)
    throw unprocessable('contract: the order has none, and only one with a contract can be handed over');
  const startDate = body.startDate ?? contract.startDate;
  if (startDate === null) throw unprocessable('startDate is required, since the contract has none yet');
  const endDate = body.endDate ?? contract.endDate ?? lastDay(startDate, contract.termMonths);
  if (endDate === null) throw unprocessable('endDate is required: the term ends after the year 9999');
  if (endDate < startDate) throw unprocessable('endDate must not be before startDate');
  return { ...contract, contractNumber: body.contractNumber ?? contract.contractNumber, startDate, endDate };
}

/**
 * The last day of so many months from a first day on: the one before that day of the month, and where the month has no such day
 * its last one (§ 188 (2) and (3) BGB). Null when it is after the year 9999.
 */
export function lastDay(startDate: string, months: number): string | null {
  const [year, month, day] = startDate.split('-').map(Number) as [number, number, number];
  const daysOfMonth = utcDay(year, month + months, 0).getUTCDate();
  const last = utcDay(year, month - 1 + months, Math.min(day - 1, daysOfMonth));
  return last < utcDay(10_000, 0, 1) ? last.toISOString().slice(0, 10) : null;
}

/** A day with the month counted from 0; day 0 is the one before the first. */
function utcDay(year: number, month: number, day: number): Date {
  const date = new Date(0);
  // Date.UTC would take years below 100 for those of the last century.
  date.setUTCFullYear(year, month, day);
  return date;
}
