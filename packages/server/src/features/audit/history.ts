import { ResourceChange } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import { renderRow, type Row } from '../../lib/render-row.ts';

const maxChanges = 50;

/** Reads the history of an order or an incident from the audit. The caller must have checked the scope. */
export async function readResourceChanges(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<ResourceChange[]> {
  // The condition on the action is that of the index.
  const rows = await db.rows<Row>(sql`
    SELECT id, at, action, actor_type, actor_name FROM audit
    WHERE organization_id = ${organizationId} AND target_id = ${id}
      AND (action LIKE 'order.%' OR action LIKE 'incident.%') AND outcome = 'done'
    ORDER BY at DESC LIMIT ${maxChanges}::int`);
  return rows.map(row => renderRow(ResourceChange, row));
}
