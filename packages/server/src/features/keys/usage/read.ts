import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import type { Counts } from './key-use.ts';

/** A key of an organization, which the caller has found in the scope. */
interface FoundKey {
  readonly organizationId: string;
  readonly id: string;
}

/** What was done with a key on a day, in UTC, `YYYY-MM-DD`. */
export interface DayOfUse extends Readonly<Counts> {
  readonly day: string;
  /** When the last request came; null where only a version wrote that did not note it. */
  readonly lastUsedAt: string | null;
}

interface DayRow {
  day: string;
  requests: string;
  rejected: string;
  limited: string;
  failed: string;
  last_at: Date | null;
}

/** The uses of a key by the day, from `days` days ago until now, the oldest first; days without any are left out. */
export async function readUsage(db: Queryable, key: FoundKey, days: number): Promise<DayOfUse[]> {
  const rows = await db.rows<DayRow>(sql`
    SELECT day::text, requests, rejected, limited, failed, last_at FROM key_usage
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
export async function readOperations(db: Queryable, key: FoundKey, days: number): Promise<OperationUse[]> {
  const rows = await db.rows<Omit<DayRow, 'last_at'> & { operation: string }>(sql`
    SELECT operation, day::text, requests, rejected, limited, failed FROM key_operation
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
    rejected: Number(row.rejected),
    limited: Number(row.limited),
    failed: Number(row.failed),
  };
}

/** Days that errors of keys are kept for. */
export const errorDays = 30;

/** How far a collection was read. */
export interface ListedPoll {
  readonly operation: string;
  readonly askedAt: string;
  readonly readTo: string;
}

/** How far a key has read the collections that it polls. */
export async function readPolls(db: Queryable, { organizationId, id }: FoundKey): Promise<ListedPoll[]> {
  const rows = await db.rows<{ operation: string; asked_at: Date; read_to: Date }>(sql`
    SELECT operation, asked_at, read_to FROM key_poll
    WHERE organization_id = ${organizationId} AND key_id = ${id} ORDER BY operation`);
  return rows.map(row => ({
    operation: row.operation,
    askedAt: row.asked_at.toISOString(),
    readTo: row.read_to.toISOString(),
  }));
}

/** An answer of a key that was no success. */
export interface ListedError {
  readonly at: string;
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}

interface ErrorRow extends Omit<ListedError, 'at' | 'requestId'> {
  at: Date;
  request_id: string;
}

/** The last errors of a key that are kept, newest first. */
export async function readErrors(db: Queryable, { organizationId, id }: FoundKey): Promise<ListedError[]> {
  const rows = await db.rows<ErrorRow>(sql`
    SELECT at, operation, status, code, message, request_id FROM key_error
    WHERE organization_id = ${organizationId} AND key_id = ${id}
      AND at > statement_timestamp() - make_interval(days => ${errorDays}::int)
    ORDER BY at DESC, id DESC`);
  return rows.map(({ at, request_id: requestId, ...error }) => ({
    at: at.toISOString(),
    operation: error.operation,
    status: error.status,
    code: error.code,
    message: error.message,
    requestId,
  }));
}
