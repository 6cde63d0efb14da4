import type { Static } from 'typebox';
import { NamedObject, nullable, orNull, Text } from '../../schema.ts';
import { Employee } from '../public/employee.ts';
import { Order } from '../public/order.ts';
import { ResourceChanges } from './history.ts';

/** One answer with everything that HR needs to decide on an order. */
export const OrderDetails = NamedObject('OrderDetails', 'An order with the person who ordered', {
  order: Order,
  employee: orNull(Employee, 'The person who ordered; null after the data of the person were erased'),
  decidedBy: nullable(
    Text('Name of the user who decided; null when no user did, or the user was deleted', 'Petra Lang'),
  ),
  history: ResourceChanges,
});
export type OrderDetails = Static<typeof OrderDetails>;
