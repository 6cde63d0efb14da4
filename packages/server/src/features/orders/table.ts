import { orderFields } from '@kontor/contract';
import type { CollectionTable, Column } from '../../collection/table.ts';

/** Where the public fields of orders stand in the table `employee_order`. */
export const orderTable: CollectionTable = {
  table: 'employee_order',
  family: 'order',
  fields: orderFields,
  columns: new Map<string, Column>([
    ['id', { name: 'id', indexed: ['organization', 'tenant', 'division'] }],
    ['orderNumber', { name: 'folded_order_number', search: true }],
    ['employeeId', { name: 'employee_id', indexed: ['organization'] }],
    ['status', { name: 'status' }],
    ['submittedAt', { name: 'submitted_at' }],
    ['createdAt', { name: 'created_at' }],
    ['updatedAt', { name: 'updated_at', indexed: ['organization'] }],
  ]),
};
