import { ApiKeyHealth, type ApiKeyUsage } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import { renderRow, type Row } from '../../../lib/render-row.ts';
import type { Counts } from './key-use.ts';

/** A key of an organization. The caller must have checked the scope. */
interface FoundKey {
  readonly organizationId: string;
  readonly id: string;
}

/** The use of a key on one day in UTC, `YYYY-MM-DD`. */
export interface DayOfUse extends Readonly<Counts> {
  readonly day: string;
  readonly lastUsedAt: string;
}

/** The use of a key per day for the last `days` days, the oldest first. Days without requests are omitted. */
export function readUsage(db: Queryable, key: FoundKey, days: number): Promise<DayOfUse[]> {
  return db.rows<DayOfUse>(sql`
    SELECT day::text, requests::float8, rejected::float8, denied::float8, limited::float8, failed::float8,
      to_char(last_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "lastUsedAt"
    FROM key_usage WHERE organization_id = ${key.organizationId} AND key_id = ${key.id}
      AND day > (clock_timestamp() AT TIME ZONE 'UTC')::date - ${days}::int
    ORDER BY day`);
}

/** Like {@link readUsage}, per operation, ordered by name. */
export function readOperations(
  db: Queryable,
  key: FoundKey,
  days: number,
): Promise<ApiKeyUsage['operations']> {
  return db.rows(sql`
    SELECT operation, json_agg(json_build_object('day', day, 'requests', requests, 'rejected', rejected, 'denied', denied, 'limited', limited,
      'failed', failed) ORDER BY day) AS days
    FROM key_operation WHERE organization_id = ${key.organizationId} AND key_id = ${key.id}
      AND day > (clock_timestamp() AT TIME ZONE 'UTC')::date - ${days}::int
    GROUP BY operation ORDER BY operation`);
}

export const errorDays = 30;

const { polls: Polls, errors: Errors } = ApiKeyHealth.properties;

/** How far the key has read each collection, and how far that is behind the organization clock. */
export async function readPolls(
  db: Queryable,
  { organizationId, id }: FoundKey,
): Promise<ApiKeyHealth['polls']> {
  const rows = await db.rows<Row>(sql`
    SELECT operation, asked_at, read_to, greatest(0, ceil(extract(epoch FROM
      (SELECT o.clock FROM organization o WHERE o.id = ${organizationId}) - read_to)))::int AS lag_seconds
    FROM key_poll WHERE organization_id = ${organizationId} AND key_id = ${id} ORDER BY operation`);
  return rows.map(row => renderRow(Polls.items, row));
}

/** The group with the newest error comes first. */
export async function readErrors(
  db: Queryable,
  { organizationId, id }: FoundKey,
): Promise<ApiKeyHealth['errors']> {
  const rows = await db.rows<Row>(sql`
    SELECT operation, status, code, message, count::float8, first_at, last_at, request_ids FROM key_error
    WHERE organization_id = ${organizationId} AND key_id = ${id}
      AND last_at > statement_timestamp() - make_interval(days => ${errorDays}::int)
    ORDER BY last_at DESC, operation, code, pattern`);
  return rows.map(row => renderRow(Errors.items, row));
}
