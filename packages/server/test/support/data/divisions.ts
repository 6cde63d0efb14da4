import assert from 'node:assert/strict';
import type { Division } from '@kontor/contract';
import type { Sql } from '../database/sql.ts';

/** The data derived from the divisions, as stored and computed again: each pair is equal unless one is wrong. */
export async function checkTables(sql: Sql, organizationId: string): Promise<void> {
  const counters = await sql`
    SELECT scope, n::int FROM counter WHERE organization_id = ${organizationId} AND resource_type = 'division' ORDER BY scope`;
  const counted = await sql`
    SELECT scope, count(*)::int AS n FROM division, unnest(ARRAY['', tenant_id, id]) AS scope
    WHERE organization_id = ${organizationId} GROUP BY scope ORDER BY scope`;
  assert.deepEqual([...counters], [...counted], 'counters');
  const lines = await sql`
    SELECT division_id, ancestor_id FROM division_ancestor
    WHERE organization_id = ${organizationId} ORDER BY division_id, ancestor_id`;
  const visited = await sql`
    WITH RECURSIVE line AS (
      SELECT id AS division_id, id AS ancestor_id, parent_id FROM division WHERE organization_id = ${organizationId}
      UNION ALL
      SELECT line.division_id, above.id, above.parent_id
      FROM line JOIN division above ON above.organization_id = ${organizationId} AND above.id = line.parent_id
    )
    SELECT division_id, ancestor_id FROM line ORDER BY division_id, ancestor_id`;
  assert.deepEqual([...lines], [...visited], 'division_ancestor');
  const rows = await sql`
    SELECT id, tenant_id AS tenant, name, parent_id AS "parentId", sort_order AS "order", cost_center AS "costCenter",
      created_at AS "createdAt", updated_at AS "updatedAt", doc
    FROM division WHERE organization_id = ${organizationId}`;
  for (const { doc, ...row } of rows) {
    const { createdAt, updatedAt, ...document } = JSON.parse(doc as string) as Division;
    const stamped = { ...document, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
    assert.deepEqual(stamped, row, 'document');
  }
}
