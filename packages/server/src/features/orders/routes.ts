import {
  cancelOrder,
  completeOrder,
  decideOrder,
  decidePortalOrder,
  downloadOrderAttachment,
  downloadPortalOrderAttachment,
  expireOrder,
  exportPortalOrders,
  getOrder,
  getPortalOrder,
  handOverOrder,
  listOrders,
  listPortalOrders,
  makeOrderReady,
  type Order,
  type OrderDetails,
  orderFields,
  recordOrderDecision,
  type ResourceChange,
} from '@kontor/contract';
import type { Files } from '../../files/download.ts';
import { downloadAttachment, inline } from '../../http/download-attachment.ts';
import { type CallOf, implement } from '../../http/implement.ts';
import { notFound, readResource, type ResourceCall } from '../../http/read-resource.ts';
import { type FileAnswer, ok, type Route, type RouteParts } from '../../http/route.ts';
import { exportList } from '../../http/response/list-file.ts';
import { fileFields } from '../../query/file-fields.ts';
import type { Collection } from '../../query/page.ts';
import { personFields, type Placed, placedList, placedRows } from '../../query/placed-rows.ts';
import { handOver } from './contract.ts';
import { completion } from './contract-record.ts';
import { orderResource } from './mapping.ts';
import { automatic, checkTransition } from './rules.ts';
import { findOrderDetails, type FoundOrder } from './store.ts';
import { decideOnOrder, changeOrder, type Step } from './transitions.ts';

export interface Parts extends RouteParts {
  readonly files: Files;
  readonly collection: Collection;
}

interface PortalParts extends Parts {
  readonly readChanges: (organizationId: string, id: string) => Promise<ResourceChange[]>;
}

export function orderRoutes(parts: Parts): Route[] {
  const { reads, writes, collection } = parts;
  return [
    implement(listOrders, async call => ok(await collection.page(call))),
    implement(getOrder, call => readResource(reads, orderResource, call)),
    implement(decideOrder, async call =>
      ok(await decideOnOrder(writes, call, { source: 'api_key', decisionBy: null })),
    ),
    implement(downloadOrderAttachment, call => download(parts, call)),
  ];
}

export function orderTransitionRoutes({ writes }: Pick<Parts, 'writes'>): Route[] {
  const move = async (
    call: ResourceCall,
    to: Step['to'],
    changes: (found: FoundOrder, at: Date) => Omit<Step, 'to'> = () => ({}),
  ) =>
    ok(
      await changeOrder(writes, call, (found, at) => {
        checkTransition(found.order, to);
        return { to, ...changes(found, at) };
      }),
    );
  return [
    implement(recordOrderDecision, async call => ok(await decideOnOrder(writes, call, automatic))),
    implement(makeOrderReady, call => move(call, 'ready_for_pickup')),
    implement(handOverOrder, call =>
      move(call, 'active', ({ order, productBenefits }) => ({
        contract: handOver(order.contract, call.body, productBenefits),
      })),
    ),
    implement(completeOrder, call =>
      move(call, 'completed', (found, at) => completion(found, call.body, { by: call.caller.actor, at })),
    ),
    implement(cancelOrder, call => move(call, 'cancelled')),
    implement(expireOrder, call => move(call, 'expired')),
  ];
}

/** Orders as HR works with them, in the scope of the user's permission HR. */
export function portalOrderRoutes(parts: PortalParts): Route[] {
  const { reads, writes, collection, readChanges } = parts;
  return [
    implement(listPortalOrders, async call => ok(await collection.page(call))),
    implement(exportPortalOrders, call =>
      exportList(parts, call, {
        list: placedList(orderResource),
        rows: placedRows('employee_order', call.scope, call.tenant),
        fields: exportedFields,
        fileName: 'orders.csv',
        action: 'order.export_list',
      }),
    ),
    implement(getPortalOrder, async call => {
      const { scope, tenant, parameters } = call;
      const details =
        (await findOrderDetails(reads, scope, tenant, parameters.id)) ?? notFound('order', call);
      const history = await readChanges(scope.organizationId, parameters.id);
      return ok(JSON.stringify({ ...details, history } satisfies OrderDetails));
    }),
    implement(decidePortalOrder, async call =>
      ok(await decideOnOrder(writes, call, { source: 'user', decisionBy: call.caller.actor.id })),
    ),
    implement(downloadPortalOrderAttachment, async call => inline(await download(parts, call))),
  ];
}

function download(
  parts: Pick<Parts, 'reads' | 'files'>,
  call: CallOf<typeof downloadOrderAttachment | typeof downloadPortalOrderAttachment>,
): Promise<FileAnswer> {
  return downloadAttachment(parts, { table: 'employee_order', noun: 'order' }, call);
}

const exportedFields = fileFields<Order & Placed>(orderFields, {
  ...personFields,
  products: {
    type: 'string',
    read: ({ products }) =>
      products.map(({ manufacturerName, model, articleGroupName }) =>
        [manufacturerName, model ?? articleGroupName].filter(Boolean).join(' '),
      ),
  },
  salaryConversion: { type: 'decimal', read: ({ contract }) => contract?.salaryConversion },
  decidedAt: { type: 'date-time', read: ({ hrHistory }) => hrHistory?.decidedAt },
});
