import type { ApiKeyScope } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { divisionPath } from '../../query/search-all.ts';

/** Max tenants, and max divisions of all of them, that are named. */
const maxNamed = 100;

type GrantedTenant = ApiKeyScope['grantedTenants'][number];

interface NamedDivision {
  readonly tenant: string;
  readonly id: string;
  readonly path: string[];
}

/** Names the granted tenants and divisions of a key. The caller must have checked the scope. */
export async function readGrantedTenants(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<GrantedTenant[]> {
  const [tenants, divisions] = await Promise.all([
    readTenants(db, organizationId, id),
    readDivisions(db, organizationId, id),
  ]);
  const byTenant = Map.groupBy(divisions, ({ tenant }) => tenant);
  return tenants.map(tenant => ({
    ...tenant,
    divisions: (byTenant.get(tenant.id) ?? []).map(({ id, path }) => ({ id, path })),
  }));
}

function readTenants(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<Omit<GrantedTenant, 'divisions'>[]> {
  return db.rows(sql`
    SELECT t.id, t.name, CASE WHEN bool_and(g.division_id IS NOT NULL) THEN count(*)::int END AS "grantedDivisions"
    FROM api_key_grant g JOIN tenant t ON t.organization_id = ${organizationId} AND t.id = g.tenant_id
    WHERE g.organization_id = ${organizationId} AND g.key_id = ${id}
    GROUP BY t.id, t.name, t.folded_name ORDER BY t.folded_name, t.id LIMIT ${maxNamed}::int`);
}

/** Only the named divisions get a path. */
function readDivisions(db: Queryable, organizationId: string, id: string): Promise<NamedDivision[]> {
  return db.rows(sql`
    SELECT named.tenant, named.id,
      ${divisionPath(organizationId, sql`named.id`)} AS path
    FROM (
      SELECT t.id AS tenant, t.folded_name AS folded_tenant, d.id, d.folded_name
      FROM api_key_grant g
        JOIN division d ON d.organization_id = ${organizationId} AND d.id = g.division_id
        JOIN tenant t ON t.organization_id = ${organizationId} AND t.id = g.tenant_id
      WHERE g.organization_id = ${organizationId} AND g.key_id = ${id}
      ORDER BY t.folded_name, t.id, d.folded_name, d.id LIMIT ${maxNamed}::int) named
    ORDER BY named.folded_tenant, named.tenant, named.folded_name, named.id`);
}
