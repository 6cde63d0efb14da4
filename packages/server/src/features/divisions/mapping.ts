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

/** The public fields of a division that a write decides; identifier and timestamps are given by the service. */
export type DivisionData = Omit<Division, 'id' | 'createdAt' | 'updatedAt'>;

/** Instants as documents carry them. */
export type Stamps = Pick<Division, 'createdAt' | 'updatedAt'>;

/** The columns of `division` that follow from its public data and timestamps, `doc` among them. */
export type DivisionRow = ReturnType<typeof divisionRow>;

/** The row of a division. `publicId` is the identifier in the document, another one only in a dry run. */
export function divisionRow(id: string, data: DivisionData, { createdAt, updatedAt }: Stamps, publicId = id) {
  // Of a whole division only these two: the rest would be what is changed.
  const division = { id, ...data, createdAt, updatedAt };
  return {
    ...divisionResource.row(division),
    name: data.name,
    cost_center: data.costCenter,
    doc: divisionResource.document({ ...division, id: publicId }),
  };
}
