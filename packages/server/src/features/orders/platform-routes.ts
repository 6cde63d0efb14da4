import type { Order } from '@kontor/contract';
import type { HandlersOf } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import { handOver } from './contract.ts';
import { automatic, checkTransition } from './rules.ts';
import { changeOrder, decideOrder, type Step } from './transitions.ts';

type Parts = Parameters<typeof changeOrder>[0];
type OrderCall = Parameters<typeof changeOrder>[1];

export function orderTransitionHandlers(parts: Parts): HandlersOf<'platform', 'Order transitions'> {
  const move = async (
    call: OrderCall,
    to: Step['to'],
    changes: (order: Order) => Omit<Step, 'to'> = () => ({}),
  ) =>
    ok(
      await changeOrder(parts, call, ({ order }) => {
        checkTransition(order, to);
        return { to, ...changes(order) };
      }),
    );
  return {
    recordOrderDecision: async call => ok(await decideOrder(parts, call, automatic)),
    makeOrderReady: call => move(call, 'ready_for_pickup'),
    handOverOrder: call =>
      move(call, 'active', ({ contract }) => ({ contract: handOver(contract, call.body) })),
    completeOrder: call => move(call, 'completed'),
    cancelOrder: call => move(call, 'cancelled'),
    expireOrder: call => move(call, 'expired'),
  };
}
