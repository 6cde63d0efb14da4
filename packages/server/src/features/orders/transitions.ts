import {
  ApiError,
  type decideOrder,
  type decidePortalOrder,
  type Order,
  type recordOrderDecision,
} from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import type { CallOf } from '../../http/implement.ts';
import { notFound, type ResourceCall } from '../../http/read-resource.ts';
import { requestOf, type Write, type Writes } from '../../write/writes.ts';
import { checkTransition, decide, type Decider } from './rules.ts';
import { findOrder, type Found, type OrderAction, type Update, updateOrder, updateOrders } from './store.ts';

interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
}

const actions = {
  approved: 'order.decide',
  rejected: 'order.decide',
  cancelled: 'order.cancel',
  expired: 'order.expire',
  ready_for_pickup: 'order.make_ready',
  active: 'order.hand_over',
  completed: 'order.complete',
} as const satisfies Partial<Record<Order['status'], OrderAction>>;

export interface Step extends Partial<Pick<Order, 'contract' | 'hrHistory'>> {
  readonly to: keyof typeof actions;
}

/** Moves an order that was read in this write, and returns its document. @throws as {@link checkTransition} */
function moveOrder(write: Write, order: Order, step: Step): string {
  return updateOrder(write, updateOf(write, order, step));
}

/** Moves many orders in one statement, either all or none. @throws as {@link checkTransition} */
export function moveOrders(write: Write, moves: readonly { order: Order; step: Step }[]): void {
  const updates = moves.map(({ order, step }) => updateOf(write, order, step));
  updateOrders(write, updates);
}

function updateOf(write: Write, order: Order, { to, ...changes }: Step): Update {
  checkTransition(order, to);
  return {
    order: { ...order, ...changes, status: to, updatedAt: write.instant },
    action: actions[to],
    fields: ['status', ...Object.keys(changes)],
  };
}

/** Decides on the order of a call and returns its document. @throws ApiError NOT_FOUND, and those of {@link decide} */
export function decideOnOrder(
  parts: Parts,
  call: CallOf<typeof decideOrder | typeof decidePortalOrder | typeof recordOrderDecision>,
  decider: Decider,
): Promise<string> {
  return changeOrder(parts, call, ({ order, employee }, decidedAt) => {
    const decided = decide(order, employee, call.body, decider);
    if (decided instanceof ApiError) throw decided;
    return { to: decided.status, hrHistory: { ...decided.hrHistory, decidedAt } };
  });
}

/**
 * Moves the order of a call by a planned step, and returns its document. The step is also planned before the write, so a rejected request
 * does not take the organization clock.
 * @throws ApiError NOT_FOUND, and those of the plan
 */
export async function changeOrder(
  { reads, writes }: Parts,
  call: ResourceCall,
  plan: (found: Found, instant: string) => Step,
): Promise<string> {
  const { scope, tenant, parameters } = call;
  const read = async (db: Queryable) =>
    (await findOrder(db, scope, tenant, parameters.id)) ?? notFound('order', call);
  plan(await read(reads), call.receivedAt.toISOString());
  return writes.runOrdered(requestOf(call), {
    targets: [parameters.id],
    read,
    change: (write, found) => moveOrder(write, found.order, plan(found, write.instant)),
  });
}
