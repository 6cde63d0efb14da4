import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Counts } from './key-use.ts';

/** What was done with a key on a day, in UTC, `YYYY-MM-DD`. */
export interface DayOfUse extends Readonly<Counts> {
  readonly day: string;
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
    ...countsOf(counts),
    lastUsedAt: last_at?.toISOString() ?? null,
  }));
}

/** What was asked of an operation with a key, by the day, the oldest first. */
export interface OperationUse {
  readonly operation: string;
  readonly days: (Counts & { day: string })[];
}

/** As {@link readUsage}, by the operation, in the order of their names. */
export async function readOperations(
  db: Queryable,
  key: { organizationId: string; id: string },
  days: number,
): Promise<OperationUse[]> {
  const rows = await db.rows<Omit<DayRow, 'last_at'> & { operation: string }>(sql`
    SELECT operation, day::text, requests, refused, limited, failed FROM key_operation
    WHERE organization_id = ${key.organizationId} AND key_id = ${key.id}
      AND day > (clock_timestamp() AT TIME ZONE 'UTC')::date - ${days}::int
    ORDER BY operation, day`);
  return Array.from(
    Map.groupBy(rows, row => row.operation),
    ([operation, found]) => ({
      operation,
      days: found.map(({ day, ...counts }) => ({ day, ...countsOf(counts) })),
    }),
  );
}

/** PostgreSQL hands large numbers on as text. */
function countsOf(row: Pick<DayRow, keyof Counts>): Counts {
  return {
    requests: Number(row.requests),
    refused: Number(row.refused),
    limited: Number(row.limited),
    failed: Number(row.failed),
  };
}
