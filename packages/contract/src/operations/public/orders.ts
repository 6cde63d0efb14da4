import { idParameter, list, type Operation, read, uploadMediaTypes, write } from '../../operation.ts';
import { Order, OrderDecision, OrderList, orderFields } from '../../resources/public/order.ts';
import { ClosedObject, Id } from '../../schema.ts';

export const orderOperations = {
  listOrders: {
    ...list,
    path: '/orders',
    tag: 'Orders',
    summary: 'List orders',
    description: 'Lists the orders of the employees in the scope of the key. `X-Tenant-ID` narrows them.',
    success: { status: 200, description: 'A page of orders', body: OrderList },
    fields: orderFields,
  },
  getOrder: {
    ...read,
    path: '/orders/{id}',
    tag: 'Orders',
    summary: 'Get an order',
    description: 'Reads one order of an employee in the scope of the key.',
    parameters: idParameter('Identifier of the order'),
    success: { status: 200, description: 'The order', body: Order },
  },
  decideOrder: {
    ...write,
    path: '/orders/{id}/decision',
    tag: 'Orders',
    summary: 'Decide on an order',
    description:
      'Approves or rejects an order that is `under_review`, once and for all. If the order has a decision, read it again; do not repeat the request. An order of a blocked employee can only be rejected.',
    parameters: idParameter('Identifier of the order'),
    body: OrderDecision,
    success: { status: 200, description: 'The order with its decision', body: Order },
    errors: ['ORDER_ALREADY_DECIDED', 'INVALID_STATE_TRANSITION', 'EMPLOYEE_BLOCKED'],
  },
  downloadOrderAttachment: {
    ...read,
    path: '/orders/{id}/attachments/{attachmentId}',
    tag: 'Orders',
    summary: 'Download a document of an order',
    description:
      'Sends the bytes of an attachment. A transfer that ends before `Content-Length` is incomplete: discard what has arrived.',
    parameters: ClosedObject({
      id: Id('Identifier of the order'),
      attachmentId: Id('Identifier of the attachment'),
    }),
    success: {
      status: 200,
      description: 'The bytes of the document',
      body: 'file',
      mediaTypes: uploadMediaTypes,
    },
  },
} as const satisfies Record<string, Operation>;
