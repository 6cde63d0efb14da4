import { type Division, fold, foldVersion } from '@kontor/contract';

/** The public fields of a division that a write decides; identifier and timestamps are given by the service. */
export type DivisionData = Omit<Division, 'id' | 'createdAt' | 'updatedAt'>;

/** The version of the stored document, so that a later shape can be rolled out in batches. */
const divisionDocVersion = 1;

/** The columns of `division` that follow from its public data and timestamps, `doc` among them. */
export interface DivisionRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly parent_id: string | null;
  readonly name: string;
  readonly folded_name: string;
  readonly sort_order: number;
  readonly cost_center: string | null;
  readonly folded_cost_center: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly doc_version: number;
  readonly fold_version: number;
  readonly doc: string;
}

/** Instants as documents carry them. */
export type Stamps = Pick<Division, 'createdAt' | 'updatedAt'>;

/** The row of a division. `publicId` is the identifier in the document, another one only in a dry run. */
export function divisionRow(id: string, data: DivisionData, stamps: Stamps, publicId = id): DivisionRow {
  const { tenant, name, parentId, order, costCenter } = data;
  const { createdAt, updatedAt } = stamps;
  const document: Division = {
    id: publicId,
    tenant,
    name,
    parentId,
    order,
    costCenter,
    createdAt,
    updatedAt,
  };
  return {
    id,
    tenant_id: tenant,
    parent_id: parentId,
    name,
    folded_name: fold(name),
    sort_order: order,
    cost_center: costCenter,
    folded_cost_center: costCenter === null ? null : fold(costCenter),
    created_at: createdAt,
    updated_at: updatedAt,
    doc_version: divisionDocVersion,
    fold_version: foldVersion,
    doc: JSON.stringify(document),
  };
}
