import Type, { type Static } from 'typebox';
import { Day, Flag, Id, InstantInput, NamedObject, orNull, Text } from '../../schema.ts';
import { Order, OrderContract, OrderProduct } from '../public/order.ts';
import { batchOf } from './batch.ts';

const product = OrderProduct.properties;
const contract = OrderContract.properties;

const OrderProductIntake = NamedObject('OrderProductIntake', 'A product of a new order', {
  ...product,
  model: Type.Optional(product.model),
  manufacturerName: Type.Optional(product.manufacturerName),
  articleGroupName: Type.Optional(product.articleGroupName),
  service: Type.Optional(product.service),
  grossService: Type.Optional(product.grossService),
  netService: Type.Optional(product.netService),
});

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

const { contractNumber } = OrderContract.properties;

export const OrderHandover = NamedObject('OrderHandover', 'Contract data of a handover', {
  contractNumber: Type.Optional({
    ...contractNumber,
    description: 'Number of the contract; null or absent: the one that it has already, if any',
  }),
  startDate: Type.Optional(
    Day('First day of the contract; needed unless the contract has one', '2026-10-01'),
  ),
  endDate: Type.Optional(
    Day(
      'Last day of the contract, not before the first; absent: the one that it has already, else the last one of its term',
      '2029-09-30',
    ),
  ),
});
export type OrderHandover = Static<typeof OrderHandover>;
