import type { PortalApiKey } from '@kontor/contract';
import { type Fragment, sql } from '../../db/sql.ts';
import { hasNoRecentActivity } from './activity.ts';

/*
 * The health state of an API key `k`. It is not stored: it follows from the row of the key, its successor and its usage.
 * `organization` is the SQL expression of the key's organization.
 */

/** A key fails when more than half of at least so many requests of 24 hours failed. */
const minRequests = 5;

/** Or when so many of the last ten requests failed, however long ago: many systems come once a day. */
const minRecentFailures = 6;

const isFailing = (organization: Fragment) => sql`(
    bit_count(k.recent_failures) >= ${minRecentFailures}::int
    OR (SELECT sum(h.requests) >= ${minRequests}::int AND sum(h.failures) * 2 > sum(h.requests) FROM key_hour h
      WHERE h.organization_id = ${organization} AND h.key_id = k.id AND h.hour > statement_timestamp() - interval '24 hours'))`;

/** Whether a key has a living successor: an active one, or one that was itself replaced. */
export const isBeingReplaced = (organization: Fragment): Fragment => sql`
    EXISTS (SELECT FROM api_key n WHERE n.organization_id = ${organization} AND n.id = k.replaced_by
      AND (n.replaced_by IS NOT NULL
        OR (n.status = 'active' AND (n.expires_at IS NULL OR n.expires_at > statement_timestamp()))))`;

/** The first state that matches. Values of `apiKeyHealthStates`. */
export const healthState = (organization: Fragment): Fragment => sql`
    CASE WHEN k.status <> 'active' THEN k.status
      WHEN k.expires_at <= statement_timestamp() THEN 'expired'
      WHEN ${isFailing(organization)} THEN 'failing'
      WHEN ${isBeingReplaced(organization)} THEN 'being_replaced'
      WHEN ${hasNoRecentActivity(organization)} THEN 'no_recent_activity'
      WHEN k.last_used_at IS NULL THEN 'never_used'
      ELSE 'active' END`;

/** The states in the order of the list: those that need attention first. */
const byUrgency: readonly PortalApiKey['health'][] = [
  'failing',
  'no_recent_activity',
  'being_replaced',
  'never_used',
  'active',
  'inactive',
  'expired',
  'deleted',
];

/** Sorts keys by their state, then by age, the newest first. 10¹⁰ seconds are 300 years, so no age reaches the next state. */
export const urgency = (organization: Fragment): Fragment => sql`
    (array_position(${byUrgency}::text[], ${healthState(organization)}) * 1e10 - extract(epoch FROM k.created_at))::float8`;

/** Whether a key works and no successor replaces it. */
const isNeeded = (organization: Fragment) => sql`
    (k.status = 'active' AND (k.expires_at IS NULL OR k.expires_at > statement_timestamp()) AND NOT ${isBeingReplaced(organization)})`;

export const isExpiring = (organization: Fragment): Fragment => sql`
    (k.expires_at IS NOT NULL AND k.expires_at < statement_timestamp() + interval '30 days' AND ${isNeeded(organization)})`;

export const isUnused = (organization: Fragment): Fragment => sql`
    (greatest(k.created_at, k.last_used_at) < statement_timestamp() - interval '90 days' AND ${isNeeded(organization)})`;
