import type { Order } from '@kontor/contract';

/** Milliseconds of a day. */
const day = 86_400_000;

/** Whether nobody has decided on an order in as many days as its tenant gives for that; null: it may wait for ever. */
export function hasWaitedTooLong(
  { status, submittedAt }: Pick<Order, 'status' | 'submittedAt'>,
  decisionDays: number | null,
  at: Date,
): boolean {
  if (status !== 'under_review' || decisionDays === null) return false;
  return Date.parse(submittedAt) + decisionDays * day <= at.getTime();
}

/** Whether the last day of the contract of an order that is active is over, in UTC. */
export function hasRunOut(
  { status, contract }: { status: Order['status']; contract: { endDate: string | null } | null },
  at: Date,
): boolean {
  if (status !== 'active') return false;
  const end = contract?.endDate ?? null;
  return end !== null && end < at.toISOString().slice(0, 10);
}

/** The first instant behind a day. */
export function endOf(lastDay: string): Date {
  return new Date(Date.parse(`${lastDay}T00:00:00Z`) + day);
}
