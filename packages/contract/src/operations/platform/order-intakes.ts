import Type from 'typebox';
import { bodyLimits } from '../../body-limit.ts';
import { read, write, WriteQuery } from '../../operation.ts';
import {
  Order,
  OrderAttachment,
  orderAttachmentKinds,
  orderAttachmentMaximum,
} from '../../resources/public/order.ts';
import { BatchOutcome } from '../../resources/platform/batch.ts';
import { OrderIntake, OrderIntakeBatch } from '../../resources/platform/order.ts';
import { inOrganization, ofOrganization, type PlatformOperation } from './operation.ts';
import { ClosedObject } from '../../schema.ts';

const path = '/organizations/{organizationId}/orders';

const taking = { ...write, tag: 'Order intake', permission: 'order-intakes:write' } as const;

export const orderIntakeOperations = {
  createOrder: {
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
  },
  createOrderBatch: {
    ...taking,
    path: '/organizations/{organizationId}/order-batches',
    summary: 'Create orders',
    description:
      'Creates up to 1,000 orders. Each item has its outcome, in order: 201 with the identifier of the order, 200 if it existed, or an error, which does not affect the other items. The batch can be repeated.',
    parameters: inOrganization,
    body: OrderIntakeBatch,
    batch: true,
    success: { status: 200, description: 'Outcome of each item', body: BatchOutcome },
  },
  getOrganizationOrder: {
    ...read,
    path: `${path}/{id}`,
    tag: 'Order intake',
    summary: 'Get an order',
    description: 'Reads one order of the organization, as the public API shows it.',
    permission: 'orders:read',
    parameters: ofOrganization('Identifier of the order'),
    success: { status: 200, description: 'The order', body: Order },
  },
  uploadOrderAttachment: {
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
  },
} as const satisfies Record<string, PlatformOperation>;
