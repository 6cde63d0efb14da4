import type { ErrorCode, Order, OrderDecision, OrderHrHistory } from '@kontor/contract';

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
