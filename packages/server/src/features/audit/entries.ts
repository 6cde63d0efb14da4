import { AuditEntry } from '@kontor/contract';
import { defineRows } from '../../query/rows.ts';
import { type Fragment, sql } from '../../db/sql.ts';

export const auditList = defineRows(AuditEntry, {
  actorId: 'folded_actor',
  actorName: 'folded_actor_name',
  targetId: 'folded_target_id',
  requestId: 'folded_request_id',
});

/** The instant in milliseconds, as clients receive it. An index uses it, so it must not depend on the time zone of a session. */
const shownInstant = sql`date_trunc('milliseconds', at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;

/** Instants are in milliseconds. Texts are folded and ordered by code point; identifiers, actions and addresses are ASCII. */
export function auditRows(organizationId: string): Fragment {
  return sql`
    SELECT id, ${shownInstant} AS created_at, actor_type, actor AS actor_id, lower(actor) COLLATE "C" AS folded_actor, actor_name,
      folded_actor_name, action COLLATE "C" AS action, split_part(action, '.', 1) COLLATE "C" AS target_type, target_id,
      lower(target_id) AS folded_target_id, request_id, lower(request_id) COLLATE "C" AS folded_request_id, address, fields,
      outcome, reason, coalesce(n, 1) AS count, changes
    FROM audit WHERE organization_id = ${organizationId}`;
}
