import { ApiError } from '@kontor/contract';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';

/** The database's time at the arrival of the statement. */
const now = sql`date_trunc('milliseconds', statement_timestamp())`;

/**
 * Advances the organization clock (specification.md 3.7) and returns it. The row stays locked until the commit, which orders the commits of an
 * organization. The clock is the database's time in milliseconds, but always later than the previous value.
 * @throws ApiError INVALID_REFERENCE when there is no such organization, or it is closed
 */
export async function takeClock(db: Queryable, organizationId: string): Promise<Date> {
  // Citus rejects VOLATILE functions here, and STABLE functions of a column, such as `clock + interval`.
  const [row] = await db.rows<{ clock: Date }>(sql`
    UPDATE organization
    SET clock = greatest(${now}, (clock AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC')
    WHERE id = ${organizationId} AND closed_at IS NULL RETURNING clock`);
  if (row) return row.clock;
  throw new ApiError(
    'INVALID_REFERENCE',
    `organization: there is no organization ${organizationId}, or it is closed`,
  );
}

/** The database's time in milliseconds and in full precision. It does not advance the clock. */
export async function readClock(db: Queryable): Promise<{ now: Date; exact: string }> {
  const [row] = await db.rows<{ now: Date; exact: string }>(
    sql`SELECT ${now} AS now, statement_timestamp()::text AS exact`,
  );
  return row!;
}

/** The organizations that take no writes, and whose jobs and mails wait. */
export async function findClosedOrganizations(db: Queryable): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(sql`SELECT id FROM organization WHERE closed_at IS NOT NULL`);
  return new Set(rows.map(({ id }) => id));
}
