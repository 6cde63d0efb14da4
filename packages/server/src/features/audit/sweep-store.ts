import type { Due } from '../../jobs/clockwork.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { AuditPosition, Turn } from '../../write/writes.ts';

/** Days after which a sweep begins anew by itself: a target may have got another tenant meanwhile. */
const sweepDays = 30;

/** Up to where the removal has looked, for each number of days that something is kept. */
export type Reached = ReadonlyMap<number, AuditPosition>;

/**
 * Has the next sweep of an organization look at all of its audit. It comes before or behind what makes that necessary in the same
 * transaction, and waits for a slice that is under way.
 */
export function beginAnew(turn: Turn): void {
  turn.write(sql`
    INSERT INTO audit_sweep (organization_id, reached, began_at) VALUES (${turn.organizationId}, '{}', ${turn.at})
    ON CONFLICT (organization_id) DO UPDATE SET reached = '{}', began_at = excluded.began_at`);
}

/** Up to where an organization was looked at. It is locked until the commit, and so is for how long its audit is kept. */
export async function lockReached({ organizationId, at }: Turn, session: Queryable): Promise<Reached> {
  await session.run(sql`
    INSERT INTO audit_sweep (organization_id, reached, began_at) VALUES (${organizationId}, '{}', ${at})
    ON CONFLICT (organization_id) DO NOTHING`);
  const [row] = await session.rows<Stored>(
    sql`${stored(at)} WHERE organization_id = ${organizationId} FOR UPDATE`,
  );
  if (!row!.isOld) return reachedOf(row!);
  await session.run(sql`
    UPDATE audit_sweep SET reached = '{}', began_at = ${at} WHERE organization_id = ${organizationId}`);
  return new Map();
}

interface Stored {
  readonly reached: Readonly<Record<string, AuditPosition>>;
  /** It is to begin anew. */
  readonly isOld: boolean;
}

const stored = (now: Date) => sql`
    SELECT reached, began_at < ${now}::timestamptz - make_interval(days => ${sweepDays}) AS "isOld" FROM audit_sweep`;

function reachedOf({ reached }: Stored): Reached {
  return new Map(Object.entries(reached).map(([days, position]) => [Number(days), position]));
}

/** Notes up to where an organization was looked at, which is locked. */
export async function noteReached(
  { organizationId }: Turn,
  session: Queryable,
  reached: Reached,
): Promise<void> {
  const text = JSON.stringify(Object.fromEntries(reached));
  await session.run(sql`
    UPDATE audit_sweep SET reached = ${text}::jsonb WHERE organization_id = ${organizationId}`);
}

/** What an organization was looked at up to, without a lock: it may have changed since. */
export async function readReached(db: Queryable, organizationId: string, now: Date): Promise<Reached> {
  const [row] = await db.rows<Stored>(sql`${stored(now)} WHERE organization_id = ${organizationId}`);
  return row === undefined || row.isOld ? new Map() : reachedOf(row);
}

/**
 * What no sweep has looked at yet and has to, a row for each organization and number of days. Entries are due a day after they need
 * not be kept any longer.
 */
export function readUnswept(db: Queryable): Promise<Due[]> {
  const due = sql`make_interval(hours => 24 * (r.days + 1))`;
  return db.rows<Due>(sql`
    SELECT due.* FROM (
      SELECT organization_id, days FROM audit_retention
      UNION SELECT organization_id, audit_days FROM tenant WHERE audit_days IS NOT NULL) AS r
    LEFT JOIN audit_sweep w ON w.organization_id = r.organization_id
      AND w.began_at >= statement_timestamp() - make_interval(days => ${sweepDays})
    CROSS JOIN LATERAL (
      SELECT a.organization_id AS "organizationId", count(*)::int AS count, min(a.at) + ${due} AS since
      FROM audit a WHERE a.organization_id = r.organization_id AND a.at < statement_timestamp() - ${due}
        AND a.at >= coalesce((w.reached -> r.days::text ->> 'at')::timestamptz, '-infinity')
      GROUP BY a.organization_id) AS due
    ORDER BY due.since`);
}

/** How many entries of the audit of an organization are behind a place and from before an instant. */
export async function countBetween(
  db: Queryable,
  organizationId: string,
  { from, before }: { from: AuditPosition; before: Date },
): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM audit
    WHERE organization_id = ${organizationId} AND at >= ${from.at}::timestamptz AND at < ${before}`);
  return row!.count;
}
