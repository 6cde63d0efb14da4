import { type Organization, organizationFields, type Tenant, tenantFields } from '@kontor/contract';
import { defineRows } from '../../query/rows.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import type { Organizations } from '../../auth/caller.ts';
import type { Scope } from '../../auth/scope.ts';

export interface OrganizationRow {
  id: string;
  name: string;
  created_at: Date;
}

export interface TenantRow extends OrganizationRow {
  organization_id: string;
  decision_days: number | null;
}

/** How organizations are listed. */
export const organizationList = defineRows({
  fields: organizationFields,
  columns: { id: 'id', name: 'folded_name', createdAt: 'created_at' },
  item: ({ id, name, created_at }: OrganizationRow): Organization => ({
    id,
    name,
    createdAt: created_at.toISOString(),
  }),
});

/** How the tenants of an organization are listed. */
export const tenantList = defineRows({
  fields: tenantFields,
  columns: {
    id: 'id',
    organizationId: 'organization_id',
    name: 'folded_name',
    decisionDays: 'decision_days',
    createdAt: 'created_at',
  },
  item: ({ id, organization_id: organizationId, name, decision_days, created_at }: TenantRow): Tenant => ({
    id,
    organizationId,
    name,
    decisionDays: decision_days,
    createdAt: created_at.toISOString(),
  }),
});

/** The organizations that a caller may work on. */
export function organizationRows({ organizations }: Organizations): Fragment {
  const rows = sql`
    SELECT id, name, folded_name, created_at FROM organization`;
  return organizations === 'all' ? rows : sql`${rows} WHERE id = ANY(${[...organizations]}::text[])`;
}

/** The tenants of an organization that a scope covers as a whole. */
export function tenantRows({ organizationId, grants }: Scope): Fragment {
  const rows = sql`
    SELECT organization_id, id, name, folded_name, decision_days, created_at FROM tenant
    WHERE organization_id = ${organizationId}`;
  if (grants === 'all') return rows;
  const tenants = grants.filter(({ divisions }) => divisions === 'all').map(({ tenantId }) => tenantId);
  return sql`${rows} AND id = ANY(${tenants}::text[])`;
}
