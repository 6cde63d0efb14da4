import Type, { type Static } from 'typebox';
import {
  Order,
  OrderAttachment,
  orderAttachmentKinds,
  orderAttachmentMaximum,
  OrderProduct,
} from './orders.ts';
import { OrderContract } from './contracts.ts';
import { batchOf, BatchOutcome } from '../batch.ts';
import { bodyLimits } from '../body-limit.ts';
import { Money } from '../money.ts';
import { read, write, WriteQuery } from '../operation.ts';
import { inOrganization, ofOrganization, platformOperation } from '../platform-operation.ts';
import { ClosedObject, Flag, Id, InstantInput, NamedObject, orNull, Text, Values } from '../schema.ts';

const product = OrderProduct.properties;
const contract = OrderContract.properties;

export const BenefitRule = Values(
  'BenefitRule',
  ['quarter', 'full', 'none'],
  'Taxable benefit a month: 1 % of a quarter of the list price, or of the full one, rounded down to full 100; or none (§ 3 No. 45 EStG), which needs no list price',
);

export const OrderProductIntake = NamedObject('OrderProductIntake', 'A product of a new order', {
  ...product,
  model: Type.Optional(product.model),
  manufacturerName: Type.Optional(product.manufacturerName),
  articleGroupName: Type.Optional(product.articleGroupName),
  service: Type.Optional(product.service),
  grossService: Type.Optional(product.grossService),
  netService: Type.Optional(product.netService),
  listPrice: Type.Optional(
    Money(
      2,
      'List price with tax. Where one product has it, each one needs it, and the taxable benefit is the sum of theirs; only payroll reads it',
    ),
  ),
  benefitRule: Type.Optional({ ...BenefitRule, default: 'quarter' }),
});

export type OrderProductIntake = Static<typeof OrderProductIntake>;

const OrderContractIntake = NamedObject(
  'OrderContractIntake',
  'The contract of a new order. `salaryConversion` and `taxableBenefit` follow from the other amounts, and are checked where they are sent',
  {
    ...contract,
    contractNumber: Type.Optional(contract.contractNumber),
    startDate: Type.Optional(contract.startDate),
    endDate: Type.Optional(contract.endDate),
    residualValue: Type.Optional(contract.residualValue),
    salaryConversion: Type.Optional(contract.salaryConversion),
    taxableBenefit: Type.Optional(contract.taxableBenefit),
  },
);

export const OrderIntake = NamedObject(
  'OrderIntake',
  'A new order, which is under review from then on unless a rule decides on it. A nullable field may be left out',
  {
    externalId: Text(
      "The platform's identifier of the order, compared exactly; unique in the organization",
      'shop-2026-000123',
      { minLength: 1, maxLength: 128 },
    ),
    orderNumber: Order.properties.orderNumber,
    employeeId: Id('Employee of the order'),
    products: Type.Array(OrderProductIntake, { maxItems: 100, description: 'Ordered products' }),
    contract: Type.Optional(orNull(OrderContractIntake, 'The contract; null or absent: there is none yet')),
    sPedelec: Type.Optional(
      Flag(
        'Whether the motor assists beyond 25 km/h. Payroll then lists the order and computes nothing',
        false,
      ),
    ),
    submittedAt: InstantInput('When the employee submitted the order', '2026-09-02T08:15:30.123Z'),
  },
);
export type OrderIntake = Static<typeof OrderIntake>;

export const OrderIntakeBatch = batchOf(OrderIntake, 'OrderIntakeBatch', 'New orders');

const path = '/organizations/{organizationId}/orders';

const taking = { ...write, tag: 'Order intake', permission: 'order-intakes:write' } as const;

export const createOrder = platformOperation({
  ...taking,
  path,
  summary: 'Create an order',
  description:
    'Creates an order of an employee. It is under review unless a rule of the tenant decides on it at once. The same intake again answers 200 with the current order, so it can be repeated after a timeout. Another intake with a known `externalId` is rejected.',
  parameters: inOrganization,
  body: OrderIntake,
  bodyLimit: bodyLimits.list,
  success: {
    status: 201,
    description: 'The order was created',
    again: 'The order existed, and is the current one',
    body: Order,
  },
  errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE_ID', 'INVALID_REFERENCE', 'DUPLICATE_RESOURCE'],
});

export const createOrderBatch = platformOperation({
  ...taking,
  path: '/organizations/{organizationId}/order-batches',
  summary: 'Create orders',
  description:
    'Creates up to 1,000 orders. Each item has its outcome, in order: 201 with the identifier of the order, 200 if it existed, or an error, which does not affect the other items. The batch can be repeated.',
  parameters: inOrganization,
  body: OrderIntakeBatch,
  batch: true,
  success: { status: 200, description: 'Outcome of each item', body: BatchOutcome },
});

export const getOrganizationOrder = platformOperation({
  ...read,
  path: `${path}/{id}`,
  tag: 'Order intake',
  summary: 'Get an order',
  description: 'Reads one order of the organization, as the public API shows it.',
  permission: 'orders:read',
  parameters: ofOrganization('Identifier of the order'),
  success: { status: 200, description: 'The order', body: Order },
});

export const uploadOrderAttachment = platformOperation({
  ...taking,
  path: `${path}/{id}/attachments`,
  summary: 'Attach a document to an order',
  description: `Attaches a PDF, PNG, JPEG or WebP file (by its content) to an order in any state with fewer than ${orderAttachmentMaximum} documents. The same bytes of the same kind are not attached again: the answer is 200 with the existing attachment. \`Location\` is the order, which shows its attachments.`,
  parameters: ofOrganization('Identifier of the order'),
  query: ClosedObject({
    ...WriteQuery.properties,
    kind: Type.Optional(
      Type.Enum([...orderAttachmentKinds], {
        type: 'string',
        description: 'Kind of the document; by default `other`',
      }),
    ),
  }),
  upload: true,
  success: {
    status: 201,
    description: 'The document was attached',
    again: 'The order has the document already',
    body: OrderAttachment,
  },
  errors: ['INVALID_STATE_TRANSITION'],
});
