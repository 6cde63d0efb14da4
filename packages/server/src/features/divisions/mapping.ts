import { Division, divisionFields } from '@kontor/contract';
import { defineResource, everywhere, folded, plain } from '../../query/resource.ts';

export const divisionResource = defineResource({
  table: 'division',
  resourceType: 'division',
  schema: Division,
  fields: divisionFields,
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

export type DivisionData = Omit<Division, 'id' | 'createdAt' | 'updatedAt'>;

type Timestamps = Pick<Division, 'createdAt' | 'updatedAt'>;

export type DivisionRow = ReturnType<typeof divisionRow>;

/** The row of a division with its `doc`. `publicId` is the identifier in the document, a constant in a dry run. */
export function divisionRow(id: string, data: DivisionData, timestamps: Timestamps, publicId = id) {
  const { createdAt, updatedAt } = timestamps;
  const division = { id, ...data, createdAt, updatedAt };
  return {
    ...divisionResource.row(division),
    name: data.name,
    cost_center: data.costCenter,
    doc: divisionResource.document({ ...division, id: publicId }),
  };
}
