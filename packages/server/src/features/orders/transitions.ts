import { ApiError, type Order, type OrderDecision } from '@kontor/contract';
import { type Turn, type Writes, requestOf } from '../../write/writes.ts';
import { type Found, type OrderAction, type Update, findOrder, updateOrder, updateOrders } from './store.ts';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import type { CallOf } from '../../http/handlers.ts';
import { type Decided, type Refusal, type Source, decide, orderNotFound } from './rules.ts';

type Status = Order['status'];

/** The states that an order can go into from each of them (specification.md 5.4). */
const nextStates: Readonly<Record<Status, readonly Status[]>> = {
  under_review: ['approved', 'rejected', 'cancelled', 'expired'],
  approved: ['ready_for_pickup', 'cancelled'],
  ready_for_pickup: ['active', 'cancelled'],
  active: ['completed'],
  rejected: [],
  cancelled: [],
  expired: [],
  completed: [],
};

/** What the audit calls the way into a state. Nothing leads back into `under_review`. */
const actions: Readonly<Record<Exclude<Status, 'under_review'>, OrderAction>> = {
  approved: 'order.decide',
  rejected: 'order.decide',
  cancelled: 'order.cancel',
  expired: 'order.expire',
  ready_for_pickup: 'order.make_ready',
  active: 'order.hand_over',
  completed: 'order.complete',
};

/** A step of an order into another state, with what changes beside it. */
export interface Step extends Partial<Pick<Order, 'contract' | 'hrHistory'>> {
  readonly to: keyof typeof actions;
}

/** Whether an order may go into a state. @throws ApiError INVALID_STATE_TRANSITION; no state leads to itself. */
export function checkStep({ status }: Pick<Order, 'status'>, to: Step['to']): void {
  const possible = nextStates[status];
  if (possible.includes(to)) return;
  const advice = possible.length === 0 ? 'that state is final' : `it can become ${possible.join(', ')}`;
  throw new ApiError(
    'INVALID_STATE_TRANSITION',
    `The order is ${status} and cannot become ${to}: ${advice}; read it again`,
  );
}

/**
 * Moves an order, which was read in this turn, into another state, and answers the document that is stored. Counters stay: they
 * count orders whatever their state.
 * @throws as of {@link checkStep}
 */
export function moveOrder(turn: Turn, order: Order, step: Step): string {
  return updateOrder(turn, updateOf(turn, order, step));
}

/**
 * Moves many orders of a turn, in one statement.
 * @throws as of {@link checkStep}, when it is so of any of them; then none is moved
 */
export function moveOrders(turn: Turn, moves: readonly { order: Order; step: Step }[]): void {
  updateOrders(
    turn,
    moves.map(({ order, step }) => updateOf(turn, order, step)),
  );
}

function updateOf(turn: Turn, order: Order, { to, ...changes }: Step): Update {
  checkStep(order, to);
  return {
    order: { ...order, ...changes, status: to, updatedAt: turn.instant },
    action: actions[to],
    fields: ['status', ...Object.keys(changes)],
  };
}

/**
 * Decides on the order of a call, and answers its document. Refused before the organization clock is taken where that is known
 * already, and decided under it.
 * @throws ApiError NOT_FOUND, and every refusal of a decision
 */
export async function decideOrder(
  { reads, writes }: { readonly reads: Pool; readonly writes: Writes },
  call: CallOf<'decideOrder'> | CallOf<'recordOrderDecision'>,
  source: Source,
): Promise<string> {
  const { scope, tenant, parameters, body: decision } = call;
  const read = async (db: Queryable) =>
    (await findOrder(db, scope, tenant, parameters.id)) ?? orderNotFound(call);
  decided(await read(reads), decision, source);
  return writes.run(requestOf(call), {
    targets: [parameters.id],
    read,
    change(turn, found) {
      const { status, hrHistory } = decided(found, decision, source);
      const step = { to: status, hrHistory: { ...hrHistory, decidedAt: turn.instant } };
      return moveOrder(turn, found.order, step);
    },
  });
}

/** The order as decided. @throws ApiError for every refusal of a decision. */
function decided({ order, employee }: Found, decision: OrderDecision, source: Source): Decided {
  const result = decide(order, employee, decision, source);
  if (typeof result === 'string') throw new ApiError(result, refusals[result]);
  return result;
}

const refusals: Readonly<Record<Refusal, string>> = {
  ORDER_ALREADY_DECIDED: 'The order has a decision already: read it again',
  INVALID_STATE_TRANSITION: 'Only an order that is under_review can be decided: read it again',
  EMPLOYEE_BLOCKED:
    'The employee of the order is blocked: unblock the employee before approving, or reject the order',
};
