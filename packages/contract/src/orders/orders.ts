import Type, { type Static } from 'typebox';
import { attachmentOf } from '../attachment.ts';
import { ResourceChanges } from '../audit/audit.ts';
import { ContractRecord, handoverAmounts, OrderCompletion, OrderContract } from './contracts.ts';
import { Employee } from '../employees/employees.ts';
import { fieldsOf } from '../fields.ts';
import { listOf } from '../list.ts';
import { Money } from '../money.ts';
import { idParameter, list, publicOperation, read, uploadMediaTypes, write } from '../operation.ts';
import { ofOrganization, platformOperation } from '../platform-operation.ts';
import { exported, ofHr, searched } from '../portal-operation.ts';
import {
  ClosedObject,
  Day,
  Id,
  Instant,
  NamedObject,
  nullable,
  optionals,
  orNull,
  Text,
  timestamps,
  Values,
} from '../schema.ts';

export const orderStatuses = [
  'under_review',
  'approved',
  'rejected',
  'cancelled',
  'expired',
  'ready_for_pickup',
  'active',
  'completed',
] as const;

export const orderAttachmentMaximum = 50;

export const orderAttachmentKinds = ['offer', 'contract', 'invoice', 'handover', 'other'] as const;

const text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: [example] });

const OrderStatus = Values('OrderStatus', orderStatuses, 'State of an order');
const OrderAttachmentKind = Values(
  'OrderAttachmentKind',
  orderAttachmentKinds,
  'Kind of a document of an order',
);
const HrDecision = Values('HrDecision', ['approved', 'rejected'], 'A decision of HR');
const HrDecisionSource = Values('HrDecisionSource', ['user', 'api_key', 'automatic'], 'How HR decided');

export const OrderProduct = NamedObject('OrderProduct', 'A product of an order', {
  model: nullable(text('Model', 'Nox Cycles Helium')),
  vatRate: Money(2, 'Value added tax in percent'),
  manufacturerName: nullable(text('Manufacturer', 'Nox Cycles')),
  articleGroupName: nullable(text('Article group', 'E-Bike')),
  grossAmount: Money(2, 'Price with tax'),
  netAmount: Money(4, 'Price without tax'),
  service: nullable(text('Service package', 'Inspektion')),
  grossService: nullable(Money(2, 'Price of the service with tax')),
  netService: nullable(Money(2, 'Price of the service without tax')),
});
export type OrderProduct = Static<typeof OrderProduct>;

export const OrderAttachment = attachmentOf('OrderAttachment', 'A document of an order', {
  kind: OrderAttachmentKind,
});
export type OrderAttachment = Static<typeof OrderAttachment>;

export const OrderHrHistory = NamedObject('OrderHrHistory', 'The HR decision on an order', {
  decision: HrDecision,
  decisionBy: nullable(Id('Portal user of the decision; null for automatic decisions and API keys')),
  source: HrDecisionSource,
  comment: nullable(Text('Comment of HR', 'Budget geprüft', { maxLength: 2000 })),
  decidedAt: Instant('When it was decided'),
});
export type OrderHrHistory = Static<typeof OrderHrHistory>;

export const Order = NamedObject('Order', 'An order of an employee', {
  id: Id('Unique identifier of the order'),
  orderNumber: Text('Number of the order, unique in the organization', 'A-2026-000123', {
    minLength: 1,
    maxLength: 64,
  }),
  employeeId: Id('Employee of the order'),
  status: OrderStatus,
  products: Type.Array(OrderProduct, { description: 'Ordered products' }),
  contract: orNull(OrderContract, 'The contract; null before there is one'),
  attachments: Type.Array(OrderAttachment, { description: 'Documents of the order' }),
  hrHistory: orNull(OrderHrHistory, 'The HR decision; null before there is one'),
  submittedAt: Instant('When the employee submitted the order'),
  ...timestamps('order'),
});
export type Order = Static<typeof Order>;

export const OrderList = listOf(Order, 'OrderList');

export const OrderDecision = NamedObject('OrderDecision', 'A decision on an order under review', {
  decision: HrDecision,
  comment: Type.Optional(nullable(Text('Comment of HR', 'Budget geprüft', { maxLength: 2000 }))),
});
export type OrderDecision = Static<typeof OrderDecision>;

/** Without tenant and division (specification.md 5.4). */
export const orderFields = fieldsOf(Order);

export const listOrders = publicOperation({
  ...list,
  path: '/orders',
  tag: 'Orders',
  summary: 'List orders',
  description: 'Lists the orders of the employees in the scope of the key. `X-Tenant-ID` narrows them.',
  success: { status: 200, description: 'A page of orders', body: OrderList },
  fields: orderFields,
});

export const getOrder = publicOperation({
  ...read,
  path: '/orders/{id}',
  tag: 'Orders',
  summary: 'Get an order',
  description: 'Reads one order of an employee in the scope of the key.',
  parameters: idParameter('Identifier of the order'),
  success: { status: 200, description: 'The order', body: Order },
});

export const decideOrder = publicOperation({
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
});

export const downloadOrderAttachment = publicOperation({
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
});

const path = '/organizations/{organizationId}/orders/{id}';

const transition = {
  ...write,
  tag: 'Order transitions',
  permission: 'transitions:write',
  parameters: ofOrganization('Identifier of the order'),
} as const;

const success = <const Text extends string>(description: Text) =>
  ({ status: 200, description, body: Order }) as const;

export const recordOrderDecision = platformOperation({
  ...transition,
  path: `${path}/decision`,
  summary: 'Record a decision on an order',
  description:
    'Approves or rejects an order that is `under_review`, for HR that has decided elsewhere or left it to a system: `hrHistory.source` is `automatic`. The rules of a decision by the public API apply.',
  body: OrderDecision,
  success: success('The order with its decision'),
  errors: ['ORDER_ALREADY_DECIDED', 'INVALID_STATE_TRANSITION', 'EMPLOYEE_BLOCKED'],
});

export const makeOrderReady = platformOperation({
  ...transition,
  path: `${path}/readiness`,
  summary: 'Make an order ready for pickup',
  description: 'Moves an order that is `approved` to `ready_for_pickup`.',
  success: success('The order, which is ready for pickup'),
  errors: ['INVALID_STATE_TRANSITION'],
});

const { contractNumber } = OrderContract.properties;

export const OrderHandover = NamedObject(
  'OrderHandover',
  'Contract data of a handover. Its amounts are the final ones; an absent one stays as it was ordered',
  {
    contractNumber: Type.Optional({
      ...contractNumber,
      description: 'Number of the contract; null or absent: the one that it has already, if any',
    }),
    startDate: Type.Optional(
      Day('First day of the contract; needed unless the contract has one', '2026-10-01'),
    ),
    endDate: Type.Optional(
      Day(
        'Last day of the contract, not before the first; absent: the one that it has already, otherwise the last one of its term',
        '2029-09-30',
      ),
    ),
    ...optionals(handoverAmounts),
  },
);
export type OrderHandover = Static<typeof OrderHandover>;

export const handOverOrder = platformOperation({
  ...transition,
  path: `${path}/handover`,
  summary: 'Hand over an order',
  description:
    'Moves an order that is `ready_for_pickup` to `active`: its contract runs from now on, and gets its days. An order without a contract cannot be handed over.',
  body: OrderHandover,
  success: success('The order, which is active'),
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});

export const completeOrder = platformOperation({
  ...transition,
  path: `${path}/completion`,
  summary: 'Complete an order',
  description:
    'Moves an order that is `active` to `completed`: its contract is over. With `lastDay`, the same request records that the contract ended early. Without it, the days of the contract stay as they are. The body may be left out.',
  body: OrderCompletion,
  bodyIsOptional: true,
  success: success('The order, which is completed'),
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});

export const cancelOrder = platformOperation({
  ...transition,
  path: `${path}/cancellation`,
  summary: 'Cancel an order',
  description:
    'Moves an order that is `under_review`, `approved` or `ready_for_pickup` to `cancelled`. One that is `active` is completed instead.',
  success: success('The order, which is cancelled'),
  errors: ['INVALID_STATE_TRANSITION'],
});

export const expireOrder = platformOperation({
  ...transition,
  path: `${path}/expiry`,
  summary: 'Let an order expire',
  description: 'Moves an order from `under_review` to `expired`, as it was not decided in time.',
  success: success('The order, which is expired'),
  errors: ['INVALID_STATE_TRANSITION'],
});

/** One answer with everything that HR needs to decide on an order. */
export const OrderDetails = ClosedObject({
  order: Order,
  contractRecord: ContractRecord,
  employee: orNull(Employee),
  decidedBy: nullable(Text()),
  history: ResourceChanges,
});
export type OrderDetails = Static<typeof OrderDetails>;

const shown = { ...downloadOrderAttachment.success, isShown: true } as const;

export const listPortalOrders = ofHr(listOrders, {
  ...searched,
  path: '/orders/search',
});

export const exportPortalOrders = ofHr(listOrders, {
  ...exported,
  path: '/orders/export',
});

export const getPortalOrder = ofHr(getOrder, {
  success: { status: 200, body: OrderDetails },
});

export const decidePortalOrder = ofHr(decideOrder, {});

export const downloadPortalOrderAttachment = ofHr(downloadOrderAttachment, { success: shown });
