import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
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

interface DayRow {
  day: string;
  requests: string;
  rejected: string;
  limited: string;
  failed: string;
  last_at: Date;
}

/** The use of a key per day for the last `days` days, the oldest first. Days without requests are omitted. */
export async function readUsage(db: Queryable, key: FoundKey, days: number): Promise<DayOfUse[]> {
  const rows = await db.rows<DayRow>(sql`
    SELECT day::text, requests, rejected, limited, failed, last_at FROM key_usage
    WHERE organization_id = ${key.organizationId} AND key_id = ${key.id}
      AND day > (clock_timestamp() AT TIME ZONE 'UTC')::date - ${days}::int
    ORDER BY day`);
  return rows.map(({ day, last_at, ...counts }) => ({
    day,
    ...countsOf(counts),
    lastUsedAt: last_at.toISOString(),
  }));
}

/** The oldest day first. */
export interface OperationUse {
  readonly operation: string;
  readonly days: (Counts & { day: string })[];
}

/** Like {@link readUsage}, per operation, ordered by name. */
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

/** The driver returns bigint as text. */
function countsOf(row: Pick<DayRow, keyof Counts>): Counts {
  return {
    requests: Number(row.requests),
    rejected: Number(row.rejected),
    limited: Number(row.limited),
    failed: Number(row.failed),
  };
}

export const errorDays = 30;

export interface ListedPoll {
  readonly operation: string;
  readonly askedAt: string;
  readonly readTo: string;
}

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

/** The newest error comes first. */
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
