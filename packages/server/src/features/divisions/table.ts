import { divisionFields } from '@kontor/contract';
import type { CollectionTable, Column } from '../../collection/table.ts';

/** Where the public fields of divisions stand in the table `division`. */
export const divisionTable: CollectionTable = {
  table: 'division',
  family: 'division',
  fields: divisionFields,
  columns: new Map<string, Column>([
    ['id', { name: 'id', indexed: ['organization', 'tenant', 'division'] }],
    ['tenant', { name: 'tenant_id', indexed: ['organization'] }],
    ['name', { name: 'folded_name' }],
    ['parentId', { name: 'parent_id' }],
    ['order', { name: 'sort_order' }],
    ['costCenter', { name: 'folded_cost_center' }],
    ['createdAt', { name: 'created_at' }],
    ['updatedAt', { name: 'updated_at', indexed: ['organization'] }],
  ]),
};
