import {
  ApiError,
  type ContractRecord,
  type decideOrder,
  type decidePortalOrder,
  type Order,
  type recordOrderDecision,
} from '@kontor/contract';
import type { CallOf } from '../../http/implement.ts';
import { notFound, repeatWith, type ResourceCall } from '../../http/read-resource.ts';
import { decision, type WriteAtClock, type Writes } from '../../write/writes.ts';
import { orderResource } from './mapping.ts';
import { decide, type Decider } from './rules.ts';
import {
  findOrder,
  type FoundOrder,
  type OrderAction,
  type Update,
  updateOrder,
  updateOrders,
} from './store.ts';

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
  readonly record?: ContractRecord;
}

/** Moves many orders in one statement, either all or none. Their states must allow it. */
export function moveOrders(write: WriteAtClock, moves: readonly { order: Order; step: Step }[]): void {
  const updates = moves.map(({ order, step }) => updateOf(write, order, step));
  updateOrders(write, updates);
}

function updateOf(write: WriteAtClock, order: Order, { to, record, ...changes }: Step): Update {
  return {
    order: { ...order, ...changes, status: to, updatedAt: write.instant },
    action: actions[to],
    fields: ['status', ...Object.keys(changes), ...(record ? ['contractRecord'] : [])],
    record,
  };
}

type Deciding = CallOf<typeof decideOrder | typeof decidePortalOrder | typeof recordOrderDecision>;

/** Decides on the order of a call and returns its document. @throws ApiError NOT_FOUND, and those of {@link decide} */
export function decideOnOrder(writes: Writes, call: Deciding, decider: Decider): Promise<string> {
  return changeOrder(writes, call, ({ order, employee }, at) => {
    const decided = decide(order, employee, call.body, decider);
    if (decided instanceof ApiError) throw decided;
    return { to: decided.status, hrHistory: { ...decided.hrHistory, decidedAt: at.toISOString() } };
  });
}

/** Moves the order of a call by a planned step, and returns its document. @throws ApiError NOT_FOUND, and those of the plan */
export function changeOrder(
  writes: Writes,
  call: ResourceCall,
  planStep: (found: FoundOrder, at: Date) => Step,
): Promise<string> {
  return writes.decide({ ...call, planStep }, orderChange);
}

interface Changing extends ResourceCall {
  readonly planStep: (found: FoundOrder, at: Date) => Step;
}

const orderChange = decision({
  targets: ({ parameters }: Changing) => [parameters.id],
  repeat: repeatWith(orderResource, ({ parameters }: Changing) => parameters.id),
  read: async (db, call) =>
    (await findOrder(db, call.scope, call.tenant, call.parameters.id)) ?? notFound('order', call),
  plan: ({ planStep }, found, at) => ({ order: found.order, step: planStep(found, at) }),
  store: (write, { order, step }) => updateOrder(write, updateOf(write, order, step)),
});
