import { Division, divisionFields } from '@kontor/contract';
import { defineResource, everywhere, folded, plain } from '../../query/resource.ts';

/** How divisions are stored. */
export const divisionResource = defineResource({
  table: 'division',
  family: 'division',
  schema: Division,
  fields: divisionFields,
  docVersion: 1,
  stored: {
    id: plain('id', 'text', ...everywhere),
    tenant: plain('tenant_id', 'text', 'organization'),
    name: folded('folded_name'),
    parentId: plain('parent_id'),
    order: plain('sort_order', 'double precision'),
    costCenter: folded('folded_cost_center'),
    createdAt: plain('created_at', 'timestamptz'),
    updatedAt: plain('updated_at', 'timestamptz', 'organization'),
  },
});
