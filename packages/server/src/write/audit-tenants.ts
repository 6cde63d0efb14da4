import { type Fragment, join, raw, sql } from '../db/sql.ts';

/** The tables of what has one tenant at most, by the type of the target. Their rows are never deleted. */
const tables = {
  employee: 'employee',
  order: 'employee_order',
  incident: 'incident',
  division: 'division',
  payroll_export_document: 'payroll_export_document',
} as const;

/**
 * The tenants that the target of an entry of the audit has now, as an array of SQL: empty where it belongs to the organization and to
 * no tenant, null where it has all of them or nobody can tell. `entry` is the name of the row, which is of the organization.
 *
 * Nobody can tell of a user who was deleted, nor of a type that is not described here.
 */
export function tenantsOfEntry(entry: Fragment, organizationId: string): Fragment {
  const isTarget = sql`x.organization_id = ${organizationId} AND x.id = ${entry}.target_id`;
  const ofTenant = sql`ARRAY(SELECT x.id FROM tenant x WHERE ${isTarget})`;
  const ofNone = sql`ARRAY[]::text[]`;
  const byType: Record<string, Fragment> = {
    ...Object.fromEntries(
      Object.entries(tables).map(([type, table]) => [
        type,
        sql`(SELECT array_remove(ARRAY[x.tenant_id], NULL) FROM ${raw(table)} x WHERE ${isTarget})`,
      ]),
    ),
    key: sql`(
        SELECT CASE WHEN NOT x.whole_organization THEN ARRAY(
          SELECT DISTINCT g.tenant_id FROM api_key_grant g
          WHERE g.organization_id = ${organizationId} AND g.key_id = x.id) END
        FROM api_key x WHERE ${isTarget})`,
    user: sql`(SELECT CASE WHEN x.permissions <@ ARRAY['HR'] THEN x.hr_tenants END FROM portal_user x WHERE ${isTarget})`,
    tenant: ofTenant,
    audit: ofTenant,
    organization: ofNone,
    operation: ofNone,
    session: ofNone,
    passkey: ofNone,
  };
  const cases = Object.entries(byType).map(
    ([type, tenants]) => sql`
      WHEN ${raw(`'${type}'`)} THEN ${tenants}`,
  );
  return sql`CASE split_part(${entry}.action, '.', 1)${join(cases, '')} END`;
}
