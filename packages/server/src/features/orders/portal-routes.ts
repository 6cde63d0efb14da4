import type { OrderDetails, ResourceChange } from '@kontor/contract';
import type { HandlersOf } from '../../http/handlers.ts';
import { inline } from '../../http/download-attachment.ts';
import { notFound } from '../../http/read-resource.ts';
import { ok } from '../../http/route.ts';
import { downloadOrderAttachment, type Parts } from './public-routes.ts';
import { findOrderDetails } from './store.ts';
import { decideOrder } from './transitions.ts';

interface PortalParts extends Parts {
  readonly readChanges: (organizationId: string, id: string) => Promise<ResourceChange[]>;
}

/** Orders as HR works with them, in the scope of the user's permission HR. */
export function portalOrderHandlers(parts: PortalParts): HandlersOf<'portal', 'Orders'> {
  const { reads, collection, readChanges } = parts;
  return {
    listPortalOrders: async call => ok(await collection.page(call)),
    async getPortalOrder(call) {
      const { scope, tenant, parameters } = call;
      const details =
        (await findOrderDetails(reads, scope, tenant, parameters.id)) ?? notFound('order', call);
      const history = await readChanges(scope.organizationId, parameters.id);
      return ok(JSON.stringify({ ...details, history } satisfies OrderDetails));
    },
    decidePortalOrder: async call =>
      ok(await decideOrder(parts, call, { source: 'user', decisionBy: call.caller.actor.id })),
    downloadPortalOrderAttachment: async call => inline(await downloadOrderAttachment(parts, call)),
  };
}
