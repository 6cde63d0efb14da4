import { ApiKeyHistory } from '@kontor/contract';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import { type ChangedValues, listValues } from '../../lib/changed-values.ts';
import { renderRow, type Row } from '../../lib/render-row.ts';

const maxChanges = 50;
const rejectedDays = 30;

const { changes: Changes, rejectedUses: RejectedUses } = ApiKeyHistory.properties;

/** Reads the history of a key from the audit. The caller must have checked the scope. */
export async function readHistory(db: Queryable, organizationId: string, id: string): Promise<ApiKeyHistory> {
  // The condition on the action is that of the index.
  const ofKey = sql`organization_id = ${organizationId} AND target_id = ${id} AND action LIKE 'key.%'`;
  const [changes, rejectedUses] = await Promise.all([readChanges(db, ofKey), readRejectedUses(db, ofKey)]);
  return { changes, rejectedUses };
}

async function readChanges(db: Queryable, ofKey: Fragment): Promise<ApiKeyHistory['changes']> {
  const rows = await db.rows<Row>(sql`
    SELECT id, at, action, actor_type, actor AS actor_id, actor_name, changes FROM audit
    WHERE ${ofKey} AND outcome = 'done' ORDER BY at DESC LIMIT ${maxChanges}::int`);
  return rows.map(({ changes, ...row }) =>
    renderRow(Changes.items, { ...row, values: listValues(changes as ChangedValues | null) }),
  );
}

async function readRejectedUses(db: Queryable, ofKey: Fragment): Promise<ApiKeyHistory['rejectedUses']> {
  const rows = await db.rows<Row>(sql`
    SELECT reason, sum(coalesce(n, 1))::float8 AS count, max(at) AS last_at,
      (array_agg(address ORDER BY at DESC))[1] AS address FROM audit
    WHERE ${ofKey} AND outcome = 'rejected' AND action = 'key.use'
      AND at > statement_timestamp() - make_interval(days => ${rejectedDays}::int)
    GROUP BY reason ORDER BY last_at DESC, reason`);
  return rows.map(row => renderRow(RejectedUses.items, row));
}
