import type { Order } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import type { HandlersOf } from '../../http/handlers.ts';
import { type Call, ok, type OkAnswer } from '../../http/route.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { decideOrder } from './decide.ts';
import { handedOver } from './handover.ts';
import { orderNotFound } from './not-found.ts';
import { findOrder } from './store.ts';
import { checkStep, moveOrder, type Step } from './transitions.ts';

interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
}

/** The operations that take orders through their states, which are the platform's. */
export function orderTransitionHandlers(parts: Parts): HandlersOf<'platform', 'Order transitions'> {
  return {
    recordOrderDecision: async call => ok(await decideOrder(parts, call, 'automatic')),
    makeOrderReady: call => move(parts, call, 'ready_for_pickup'),
    handOverOrder: call =>
      move(parts, call, 'active', ({ contract }) => ({ contract: handedOver(contract, call.body) })),
    completeOrder: call => move(parts, call, 'completed'),
    cancelOrder: call => move(parts, call, 'cancelled'),
    expireOrder: call => move(parts, call, 'expired'),
  };
}

type OfOrder = Omit<Call, 'parameters'> & { readonly parameters: { readonly id: string } };

/** What changes of an order beside its state. */
type Changes = (order: Order) => Omit<Step, 'to'>;

/**
 * Moves the order of a call into a state. Refused before the organization clock is taken where that is known already.
 * @throws ApiError NOT_FOUND, INVALID_STATE_TRANSITION, then those of the changes
 */
async function move(
  { reads, writes }: Parts,
  call: OfOrder,
  to: Step['to'],
  changes: Changes = () => ({}),
): Promise<OkAnswer> {
  const { scope, tenant, parameters } = call;
  const read = async (db: Queryable) => {
    const { order } = (await findOrder(db, scope, tenant, parameters.id)) ?? orderNotFound(call);
    checkStep(order, to);
    return { order, step: { to, ...changes(order) } };
  };
  await read(reads);
  const doc = await writes.runOrdered(requestOf(call), {
    targets: [parameters.id],
    read,
    change: (turn, { order, step }) => moveOrder(turn, order, step),
  });
  return ok(doc);
}
