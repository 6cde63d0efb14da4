import Type, { type Static } from 'typebox';
import { Day, NamedObject } from '../../schema.ts';
import { OrderContract } from '../order.ts';

const { contractNumber } = OrderContract.properties;

export const OrderHandover = NamedObject(
  'OrderHandover',
  'What becomes known of the contract when an order is handed over',
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
        'Last day of the contract, not before the first; absent: the one that it has already, else the last one of its term',
        '2029-09-30',
      ),
    ),
  },
);
export type OrderHandover = Static<typeof OrderHandover>;
