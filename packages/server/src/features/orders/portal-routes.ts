import {
  decidePortalOrder,
  downloadPortalOrderAttachment,
  getPortalOrder,
  listPortalOrders,
  type OrderDetails,
  type ResourceChange,
} from '@kontor/contract';
import { implement } from '../../http/implement.ts';
import { inline } from '../../http/download-attachment.ts';
import { notFound } from '../../http/read-resource.ts';
import { ok, type Route } from '../../http/route.ts';
import { download, type Parts } from './public-routes.ts';
import { findOrderDetails } from './store.ts';
import { decideOnOrder } from './transitions.ts';

interface PortalParts extends Parts {
  readonly readChanges: (organizationId: string, id: string) => Promise<ResourceChange[]>;
}

/** Orders as HR works with them, in the scope of the user's permission HR. */
export function portalOrderRoutes(parts: PortalParts): Route[] {
  const { reads, collection, readChanges } = parts;
  return [
    implement(listPortalOrders, async call => ok(await collection.page(call))),
    implement(getPortalOrder, async call => {
      const { scope, tenant, parameters } = call;
      const details =
        (await findOrderDetails(reads, scope, tenant, parameters.id)) ?? notFound('order', call);
      const history = await readChanges(scope.organizationId, parameters.id);
      return ok(JSON.stringify({ ...details, history } satisfies OrderDetails));
    }),
    implement(decidePortalOrder, async call =>
      ok(await decideOnOrder(parts, call, { source: 'user', decisionBy: call.caller.actor.id })),
    ),
    implement(downloadPortalOrderAttachment, async call => inline(await download(parts, call))),
  ];
}
