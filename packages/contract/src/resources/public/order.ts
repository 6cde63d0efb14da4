import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import {
  Day,
  Id,
  Instant,
  Integer,
  NamedObject,
  nullable,
  orNull,
  Text,
  timestamps,
  Values,
} from '../../schema.ts';
import { attachmentOf } from './attachment.ts';
import { listOf } from '../list.ts';
import { Money } from '../money.ts';

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

export const OrderContract = NamedObject('OrderContract', 'The contract of an order', {
  contractNumber: nullable(text('Number of the contract', 'LV-2026-000123')),
  startDate: nullable(Day('First day', '2026-10-01')),
  endDate: nullable(Day('Last day', '2029-09-30')),
  termMonths: Integer('Term in months', 36, { minimum: 1 }),
  currency: Text('Currency (ISO 4217)', 'EUR', { pattern: '^[A-Z]{3}$' }),
  listPrice: Money(2, 'List price with tax'),
  purchasePrice: Money(2, 'Purchase price'),
  residualValue: nullable(Money(2, 'Calculated value at the end of the term')),
  leasingRate: Money(2, 'Leasing rate a month'),
  leasingRateSubsidy: Money(2, "Employer's share of the leasing rate"),
  insuranceRate: Money(2, 'Insurance rate a month'),
  insuranceRateSubsidy: Money(2, "Employer's share of the insurance rate"),
  serviceRate: Money(2, 'Service rate a month'),
  serviceRateSubsidy: Money(2, "Employer's share of the service rate"),
  salaryConversion: Money(2, 'Monthly salary conversion: rates less subsidies'),
  taxableBenefit: Money(
    2,
    'Taxable benefit a month: 1 % of a quarter of the list price rounded down to full 100; 0.00 where the employer pays all',
  ),
});
export type OrderContract = Static<typeof OrderContract>;

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
