import {
  ApiError,
  type ErrorCode,
  type Order,
  type OrderDecision,
  type OrderHrHistory,
} from '@kontor/contract';
import type { Call } from '../../http/route.ts';

/** What a decision makes of an order, but for its instants. */
export interface Decided {
  readonly status: OrderHrHistory['decision'];
  readonly hrHistory: Omit<OrderHrHistory, 'decidedAt'>;
}

/** Why there is no decision. */
export type Refusal = Extract<
  ErrorCode,
  'ORDER_ALREADY_DECIDED' | 'INVALID_STATE_TRANSITION' | 'EMPLOYEE_BLOCKED'
>;

/** How HR decides where no portal user does. */
export type Source = Exclude<OrderHrHistory['source'], 'user'>;

/**
 * What a decision of HR makes of an order (specification.md 5.4): its state and what is recorded, or why it is refused.
 */
export function decide(
  order: Pick<Order, 'status' | 'hrHistory'>,
  employee: { readonly blocked: boolean },
  { decision, comment }: OrderDecision,
  source: Source,
): Decided | Refusal {
  if (order.hrHistory !== null) return 'ORDER_ALREADY_DECIDED';
  if (order.status !== 'under_review') return 'INVALID_STATE_TRANSITION';
  if (decision === 'approved' && employee.blocked) return 'EMPLOYEE_BLOCKED';
  return {
    status: decision,
    hrHistory: { decision, decisionBy: null, source, comment: comment ?? null },
  };
}

/** The decision that an order in each state has when it has one; null where it can have none. */
const decisionOf: Readonly<Record<Order['status'], OrderHrHistory['decision'] | null>> = {
  under_review: null,
  expired: null,
  rejected: 'rejected',
  approved: 'approved',
  cancelled: 'approved',
  ready_for_pickup: 'approved',
  active: 'approved',
  completed: 'approved',
};

/** What is wrong with the recorded decision of an order in this state; null when nothing is. */
export function historyProblem(status: Order['status'], history: OrderHrHistory | null): string | null {
  if (history === null) return null;
  const possible = decisionOf[status];
  if (possible === null) return `hrHistory: an order that is ${status} has no decision`;
  if (history.decision !== possible)
    return `hrHistory.decision: the decision on an order that is ${status} is ${possible}`;
  if (history.decisionBy !== null && history.source !== 'user')
    return 'hrHistory.decisionBy must be null unless hrHistory.source is user';
  return null;
}

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

/** The refusal of an order that whoever calls does not see. @throws ApiError NOT_FOUND. */
export function orderNotFound({ caller }: Pick<Call, 'caller'>): never {
  const credential = caller.actor.type === 'api_key' ? 'key' : 'token';
  throw new ApiError('NOT_FOUND', `No order with this id is visible to the ${credential}`);
}
