import {
  ApiError,
  type ErrorCode,
  type Order,
  type OrderDecision,
  type OrderHrHistory,
} from '@kontor/contract';
import { checkNextState, type Transitions } from '../../lib/next-state.ts';

type Status = Order['status'];

/** A state that a decision, the platform or a job sets. */
type Destination = Exclude<Status, 'under_review'>;

/** The next states of each state (specification.md 5.4). No state leads to itself or back to `under_review`. */
// prettier-ignore
const transitions: Transitions<Status, Destination> = {
  under_review:     { approved: true,  rejected: true,  ready_for_pickup: false, active: false, completed: false, cancelled: true,  expired: true },
  approved:         { approved: false, rejected: false, ready_for_pickup: true,  active: false, completed: false, cancelled: true,  expired: false },
  ready_for_pickup: { approved: false, rejected: false, ready_for_pickup: false, active: true,  completed: false, cancelled: true,  expired: false },
  active:           { approved: false, rejected: false, ready_for_pickup: false, active: false, completed: true,  cancelled: false, expired: false },
  rejected:         { approved: false, rejected: false, ready_for_pickup: false, active: false, completed: false, cancelled: false, expired: false },
  cancelled:        { approved: false, rejected: false, ready_for_pickup: false, active: false, completed: false, cancelled: false, expired: false },
  expired:          { approved: false, rejected: false, ready_for_pickup: false, active: false, completed: false, cancelled: false, expired: false },
  completed:        { approved: false, rejected: false, ready_for_pickup: false, active: false, completed: false, cancelled: false, expired: false },
};

/** @throws ApiError INVALID_STATE_TRANSITION */
export function checkTransition({ status }: Pick<Order, 'status'>, to: Destination): void {
  checkNextState('order', status, to, transitions);
}

/** The changes of a decision, without its instant. */
export interface Decided {
  readonly status: OrderHrHistory['decision'];
  readonly hrHistory: Omit<OrderHrHistory, 'decidedAt'>;
}

/** The author of a decision: a portal user with an identifier, a key, or a rule. */
export type Decider = Pick<OrderHrHistory, 'source' | 'decisionBy'>;

export const automatic: Decider = { source: 'automatic', decisionBy: null };

/** Decides on an order (specification.md 5.4). Returns the error for an order that cannot be decided. */
export function decide(
  order: Pick<Order, 'status' | 'hrHistory'>,
  employee: { readonly blocked: boolean },
  { decision, comment }: OrderDecision,
  { decisionBy, source }: Decider,
): Decided | ApiError {
  const error = (code: ErrorCode, message: string) => new ApiError(code, message);
  if (order.hrHistory !== null)
    return error('ORDER_ALREADY_DECIDED', 'The order has a decision already: read it again');
  if (order.status !== 'under_review')
    return error(
      'INVALID_STATE_TRANSITION',
      'Only an order that is under_review can be decided: read it again',
    );
  if (decision === 'approved' && employee.blocked)
    return error(
      'EMPLOYEE_BLOCKED',
      'The employee of the order is blocked: unblock the employee before approving, or reject the order',
    );
  return { status: decision, hrHistory: { decision, decisionBy, source, comment: comment ?? null } };
}

/** The decision that an order in each state can have; null for none. */
const decisionOf: Readonly<Record<Status, OrderHrHistory['decision'] | null>> = {
  under_review: null,
  expired: null,
  rejected: 'rejected',
  approved: 'approved',
  cancelled: 'approved',
  ready_for_pickup: 'approved',
  active: 'approved',
  completed: 'approved',
};

/** Describes an error in the recorded decision of an order in this state. */
export function historyProblem(status: Status, history: OrderHrHistory | null): string | null {
  if (history === null) return null;
  const possible = decisionOf[status];
  if (possible === null) return `hrHistory: an order that is ${status} has no decision`;
  if (history.decision !== possible)
    return `hrHistory.decision: the decision on an order that is ${status} is ${possible}`;
  if (history.decisionBy !== null && history.source !== 'user')
    return 'hrHistory.decisionBy must be null unless hrHistory.source is user';
  return null;
}

const day = 86_400_000;

/** Whether an order has waited for a decision for its tenant's days. With null it may wait for ever. */
export function hasWaitedTooLong(
  { status, submittedAt }: Pick<Order, 'status' | 'submittedAt'>,
  decisionDays: number | null,
  at: Date,
): boolean {
  if (status !== 'under_review' || decisionDays === null) return false;
  return Date.parse(submittedAt) + decisionDays * day <= at.getTime();
}

/** Whether the contract of an active order has ended, in UTC. */
export function hasRunOut(
  { status, contract }: { status: Status; contract: { endDate: string | null } | null },
  at: Date,
): boolean {
  const end = contract?.endDate ?? null;
  return status === 'active' && end !== null && end < at.toISOString().slice(0, 10);
}

/** The first instant after a day, in UTC. */
export function endOf(date: string): Date {
  return new Date(Date.parse(`${date}T00:00:00Z`) + day);
}
