import { Order, orderFields } from '@kontor/contract';
import { defineResource, everywhere, plain, searched } from '../../query/resource.ts';

/** How orders are stored. Tenant and division of the row are those of the employee. */
export const orderResource = defineResource({
  table: 'employee_order',
  family: 'order',
  schema: Order,
  fields: orderFields,
  docVersion: 1,
  stored: {
    id: plain('id', 'text', ...everywhere),
    orderNumber: searched('folded_order_number'),
    employeeId: plain('employee_id', 'text', 'organization'),
    status: plain('status'),
    submittedAt: plain('submitted_at', 'timestamptz'),
    createdAt: plain('created_at', 'timestamptz'),
    updatedAt: plain('updated_at', 'timestamptz', 'organization'),
  },
});
