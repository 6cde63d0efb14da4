import { type AuditEntry, auditEntryFields } from '@kontor/contract';
import { defineRows } from '../../query/rows.ts';
import { type Fragment, sql } from '../../db/sql.ts';

interface AuditRow {
  id: string;
  created_at: Date;
  actor_type: AuditEntry['actorType'];
  actor: string;
  actor_name: string;
  action: string;
  target_type: string;
  target_id: string;
  request_id: string | null;
  address: string | null;
  fields: string[];
  outcome: AuditEntry['outcome'];
  reason: AuditEntry['reason'];
  count: number;
}

export const auditList = defineRows({
  fields: auditEntryFields,
  columns: {
    id: 'id',
    createdAt: 'created_at',
    actorType: 'actor_type',
    actorId: 'folded_actor',
    actorName: 'folded_actor_name',
    action: 'action',
    targetType: 'target_type',
    targetId: 'folded_target_id',
    requestId: 'folded_request_id',
    address: 'address',
    outcome: 'outcome',
    reason: 'reason',
    count: 'count',
  },
  item: (row: AuditRow): AuditEntry => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    actorType: row.actor_type,
    actorId: row.actor,
    actorName: row.actor_name,
    action: row.action,
    targetType: row.target_type,
    targetId: row.target_id,
    requestId: row.request_id,
    address: row.address,
    fields: row.fields,
    outcome: row.outcome,
    reason: row.reason,
    count: row.count,
  }),
});

/** The instant in milliseconds, as clients receive it. An index uses it, so it must not depend on the time zone of a session. */
const shownInstant = sql`date_trunc('milliseconds', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;

/** Instants are in milliseconds. Texts are folded and ordered by code point; identifiers, actions and addresses are ASCII. */
export function auditRows(organizationId: string): Fragment {
  return sql`
    SELECT id, ${shownInstant} AS created_at, actor_type, actor, lower(actor) COLLATE "C" AS folded_actor, actor_name,
      folded_actor_name, action COLLATE "C" AS action, split_part(action, '.', 1) COLLATE "C" AS target_type, target_id,
      lower(target_id) AS folded_target_id, request_id, lower(request_id) COLLATE "C" AS folded_request_id, address, fields,
      outcome, reason, coalesce(n, 1) AS count
    FROM audit WHERE organization_id = ${organizationId}`;
}
