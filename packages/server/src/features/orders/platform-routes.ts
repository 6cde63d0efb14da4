import type { HandlersOf } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import { handOver } from './contract.ts';
import { checkTransition } from './rules.ts';
import { changeOrder, decideOrder, type Step } from './transitions.ts';

type Parts = Parameters<typeof changeOrder>[0];
type OrderCall = Parameters<typeof changeOrder>[1];

export function orderTransitionHandlers(parts: Parts): HandlersOf<'platform', 'Order transitions'> {
  const move = async (call: OrderCall, to: Step['to']) =>
    ok(
      await changeOrder(parts, call, ({ order }) => {
        checkTransition(order, to);
        return () => ({ to });
      }),
    );
  return {
    recordOrderDecision: async call => ok(await decideOrder(parts, call, 'automatic')),
    makeOrderReady: call => move(call, 'ready_for_pickup'),
    handOverOrder: async call =>
      ok(
        await changeOrder(parts, call, ({ order }) => {
          checkTransition(order, 'active');
          const contract = handOver(order.contract, call.body);
          return () => ({ to: 'active', contract });
        }),
      ),
    completeOrder: call => move(call, 'completed'),
    cancelOrder: call => move(call, 'cancelled'),
    expireOrder: call => move(call, 'expired'),
  };
}
