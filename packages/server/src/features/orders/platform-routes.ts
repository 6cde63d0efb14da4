import {
  cancelOrder,
  completeOrder,
  expireOrder,
  handOverOrder,
  makeOrderReady,
  type Order,
  recordOrderDecision,
} from '@kontor/contract';
import { implement } from '../../http/implement.ts';
import { ok, type Route } from '../../http/route.ts';
import { handOver } from './contract.ts';
import { automatic, checkTransition } from './rules.ts';
import { changeOrder, decideOnOrder, type Step } from './transitions.ts';

type Parts = Parameters<typeof changeOrder>[0];
type OrderCall = Parameters<typeof changeOrder>[1];

export function orderTransitionRoutes(parts: Parts): Route[] {
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
  return [
    implement(recordOrderDecision, async call => ok(await decideOnOrder(parts, call, automatic))),
    implement(makeOrderReady, call => move(call, 'ready_for_pickup')),
    implement(handOverOrder, call =>
      move(call, 'active', ({ contract }) => ({ contract: handOver(contract, call.body) })),
    ),
    implement(completeOrder, call => move(call, 'completed')),
    implement(cancelOrder, call => move(call, 'cancelled')),
    implement(expireOrder, call => move(call, 'expired')),
  ];
}
