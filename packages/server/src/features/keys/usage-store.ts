import type { Pool } from '../../database/connect.ts';
import type { Queryable } from '../../database/session.ts';
import { sql } from '../../database/sql.ts';
import { inTransaction } from '../../database/transaction.ts';

/** How requests of a key ended that did not succeed. */
export interface Refusals {
  /** Answered with 4xx, but for 429. */
  refused: number;
  /** Answered with 429: the quota was used up. */
  limited: number;
  /** Answered with 5xx. */
  failed: number;
}

/** What was done with a key since that was last written. */
export interface KeyUse extends Refusals {
  readonly id: string;
  /** When it was last used. */
  at: Date;
  /** All requests, those that did not succeed among them. */
  requests: number;
}

/**
 * Writes the uses of keys of one organization. Rows are locked in order, so that two processes cannot deadlock. In one statement a
 * cluster would fail: it cannot insert what a part that locks has selected.
 */
export async function writeUses(db: Pool, organizationId: string, uses: readonly KeyUse[]): Promise<void> {
  const ids = uses.map(use => use.id);
  const instants = uses.map(use => use.at.toISOString());
  const numbers = (name: 'requests' | keyof Refusals) => uses.map(use => use[name]);
  const used = sql`
    (SELECT * FROM unnest(${ids}::text[], ${instants}::timestamptz[], ${numbers('requests')}::int[],
      ${numbers('refused')}::int[], ${numbers('limited')}::int[], ${numbers('failed')}::int[])
      AS u (id, at, requests, refused, limited, failed)) AS used`;
  await inTransaction(db, async session => {
    await session.run(sql`
      WITH locked AS (
        SELECT k.id, used.at FROM api_key k JOIN ${used} USING (id) WHERE k.organization_id = ${organizationId}
        ORDER BY k.id FOR NO KEY UPDATE OF k
      )
      UPDATE api_key k SET last_used_at = greatest(k.last_used_at, locked.at) FROM locked
      WHERE k.organization_id = ${organizationId} AND k.id = locked.id`);
    session.post(sql`
      INSERT INTO key_usage AS d (organization_id, key_id, day, requests, refused, limited, failed, last_at)
      SELECT k.organization_id, k.id, (used.at AT TIME ZONE 'UTC')::date, requests, refused, limited, failed, used.at
      FROM api_key k JOIN ${used} USING (id) WHERE k.organization_id = ${organizationId}
      ON CONFLICT (organization_id, key_id, day) DO UPDATE SET
        requests = d.requests + excluded.requests, refused = d.refused + excluded.refused,
        limited = d.limited + excluded.limited, failed = d.failed + excluded.failed,
        last_at = greatest(d.last_at, excluded.last_at)`);
  });
}

/** What was done with a key on a day, in UTC, `YYYY-MM-DD`. */
export interface DayOfUse extends Readonly<Refusals> {
  readonly day: string;
  readonly requests: number;
  /** When the last request came; null where only a version wrote that did not note it. */
  readonly lastUsedAt: string | null;
}

interface DayRow {
  day: string;
  requests: string;
  refused: string;
  limited: string;
  failed: string;
  last_at: Date | null;
}

/** The uses of a key by the day, from `days` days ago until now, the oldest first; days without any are left out. */
export async function readUsage(
  db: Queryable,
  key: { organizationId: string; id: string },
  days: number,
): Promise<DayOfUse[]> {
  const rows = await db.rows<DayRow>(sql`
    SELECT day::text, requests, refused, limited, failed, last_at FROM key_usage
    WHERE organization_id = ${key.organizationId} AND key_id = ${key.id}
      AND day > (clock_timestamp() AT TIME ZONE 'UTC')::date - ${days}::int
    ORDER BY day`);
  return rows.map(({ day, last_at, ...counts }) => ({
    day,
    requests: Number(counts.requests),
    refused: Number(counts.refused),
    limited: Number(counts.limited),
    failed: Number(counts.failed),
    lastUsedAt: last_at?.toISOString() ?? null,
  }));
}
