import type { ApiKeySight } from '@kontor/contract';
import { subtree } from '../../auth/scope-predicate.ts';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import type { GrantRow } from './rules.ts';

/**
 * How much a key of these grants would see now, from the counters that every write keeps: one statement. It looks at each counter of the
 * organization once, some ten milliseconds for ten thousand divisions, and asks whether it is among those seen. As a join, which the test
 * of truth keeps it from being, it descends an index for each division, which takes ten times as long.
 */
export async function readSight(
  db: Queryable,
  organizationId: string,
  grants: 'all' | readonly GrantRow[],
): Promise<ApiKeySight> {
  const tenants = grants === 'all' ? null : new Set(grants.map(({ tenantId }) => tenantId));
  const [row] = await db.rows<Record<keyof ApiKeySight, number>>(sql`
    SELECT ${tenants === null ? tenantsOf(organizationId) : sql`${tenants.size}::int`} AS tenants,
      coalesce(sum(n) FILTER (WHERE family = 'division'), 0)::float8 AS divisions,
      coalesce(sum(n) FILTER (WHERE family = 'employee'), 0)::float8 AS employees,
      coalesce(sum(n) FILTER (WHERE family = 'order'), 0)::float8 AS orders
    FROM counter WHERE organization_id = ${organizationId} AND family IN ('division', 'employee', 'order')
      AND ${seen(organizationId, grants)}`);
  return row!;
}

function tenantsOf(organizationId: string): Fragment {
  return sql`(SELECT count(*)::int FROM tenant WHERE organization_id = ${organizationId})`;
}

/** Whether a counter is of what is seen. A tenant that is granted as a whole has one counter for all in it. */
function seen(organizationId: string, grants: 'all' | readonly GrantRow[]): Fragment {
  if (grants === 'all') return sql`scope = ''`;
  const whole = grants.filter(({ divisionId }) => divisionId === null).map(({ tenantId }) => tenantId);
  const divisions = grants.flatMap(({ divisionId }) => (divisionId === null ? [] : [divisionId]));
  if (divisions.length === 0) return sql`scope = ANY(${whole}::text[])`;
  const below = subtree({ organizationId, callerId: '', grants: [] }, divisions);
  return sql`(scope IN (SELECT unnest(${whole}::text[]) UNION ALL ${below})) IS TRUE`;
}
