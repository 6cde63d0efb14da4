import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';

/** The instant at which a statement has arrived, by the clock of the database. */
const now = sql`date_trunc('milliseconds', statement_timestamp())`;

/**
 * Takes the next instant of the organization clock (specification.md 3.7), and with it the write of the organization: the row is
 * locked until the commit, which puts commits of one organization in order. It is the database's time in milliseconds, but
 * always later than the instant before; null when there is no such organization.
 */
export async function takeClock(db: Queryable, organizationId: string): Promise<Date | null> {
  // A distributed database takes no VOLATILE function here, nor a STABLE one of a column, as `clock + interval` would be.
  const [row] = await db.rows<{ clock: Date }>(sql`
    UPDATE organization
    SET clock = greatest(${now}, (clock AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC')
    WHERE id = ${organizationId} RETURNING clock`);
  return row?.clock ?? null;
}

/** The present instant, which is nobody's turn, and the same as exact as it is known. */
export async function readClock(db: Queryable): Promise<{ now: Date; exact: string }> {
  const [row] = await db.rows<{ now: Date; exact: string }>(
    sql`SELECT ${now} AS now, statement_timestamp()::text AS exact`,
  );
  return row!;
}
