import { type Fragment, sql } from './sql.ts';
import type { Queryable } from './session.ts';

/**
 * The organization clock (specification.md 3.7, loss-free polling): the database's time in milliseconds, but always
 * later than the instant before. Its row is locked until the commit, which puts commits of one organization in order.
 */
export const nextInstant = sql`greatest(date_trunc('milliseconds', clock_timestamp()), clock + interval '1 millisecond')`;

/**
 * Takes the next instant of the organization clock, and with it the turn of the organization until the commit. `patience` is
 * the longest wait for a lock in milliseconds, from now on in this transaction; when it is absent, it stays what it is.
 */
export async function takeInstant(db: Queryable, organizationId: string, patience?: number): Promise<Date> {
  // The patience is set in the same statement, before the row is locked: a statement of its own would cost time.
  const patient = patience === undefined ? sql`true` : sql`${lockPatience(patience)} IS NOT NULL`;
  const [row] = await db.rows<{ clock: Date }>(sql`
    UPDATE organization SET clock = ${nextInstant}
    WHERE id = ${organizationId} AND ${patient} RETURNING clock`);
  if (!row) throw new Error(`organization ${organizationId} does not exist`);
  return row.clock;
}

/** SQL that sets the longest wait for a lock in this transaction, in milliseconds. */
export function lockPatience(patience: number): Fragment {
  return sql`(SELECT set_config('lock_timeout', ${String(patience)}, true))`;
}

/** SQL of an instant as the documents carry it: `2026-09-02T08:15:30.123Z`. */
function instantText(instant: Fragment): Fragment {
  return sql`to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** SQL that completes a document: its head, then the two timestamps and the closing brace. */
export function stampedDocument(head: Fragment, createdAt: Fragment, updatedAt: Fragment): Fragment {
  return sql`${head} || '"createdAt":"' || ${instantText(createdAt)} || '","updatedAt":"' || ${instantText(updatedAt)} || '"}'`;
}
