import type { OrderDetails } from '@kontor/contract';
import type { HandlersOf } from '../../http/handlers.ts';
import { notFound } from '../../http/read-resource.ts';
import { ok } from '../../http/route.ts';
import { downloadOrderAttachment, type Parts } from './public-routes.ts';
import { findOrderDetails } from './store.ts';
import { decideOrder } from './transitions.ts';

/** Orders as HR works with them, in the scope of the user's permission HR. */
export function portalOrderHandlers(parts: Parts): HandlersOf<'portal', 'Orders'> {
  const { reads, collection } = parts;
  return {
    listPortalOrders: async call => ok(await collection.page(call)),
    async getPortalOrder(call) {
      const { scope, tenant, parameters } = call;
      const details = await findOrderDetails(reads, scope, tenant, parameters.id);
      return ok(JSON.stringify((details ?? notFound('order', call)) satisfies OrderDetails));
    },
    decidePortalOrder: async call =>
      ok(await decideOrder(parts, call, { source: 'user', decisionBy: call.caller.actor.id })),
    downloadPortalOrderAttachment: call => downloadOrderAttachment(parts, call),
  };
}
