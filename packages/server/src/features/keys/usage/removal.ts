import type { Job, Due } from '../../../jobs/job.ts';
import { type Fragment, raw, sql } from '../../../db/sql.ts';
import { errorDays } from './read.ts';

const operationDays = 90;

/** A table with a retention in days, in UTC. */
interface Kept {
  readonly name: string;
  readonly table: 'key_operation' | 'key_error';
  readonly days: number;
  /** The day of a row `u`. `before` and `of` are conditions on it: before an instant, and on a day. */
  readonly day: Fragment;
  readonly before: (instant: string) => Fragment;
  readonly of: (day: string) => Fragment;
}

const kept: readonly Kept[] = [
  {
    name: 'key_operation_removal',
    table: 'key_operation',
    days: operationDays,
    day: sql`u.day`,
    before: instant => sql`u.day < ${instant.slice(0, 10)}::date`,
    of: day => sql`u.day = ${day}::date`,
  },
  {
    name: 'key_error_removal',
    table: 'key_error',
    days: errorDays,
    day: sql`(u.at AT TIME ZONE 'UTC')::date`,
    before: instant => sql`u.at < ${instant}::timestamptz`,
    of: day => sql`u.at >= ${`${day}T00:00:00.000Z`}::timestamptz AND u.at < ${dayBehind(day)}::timestamptz`,
  },
];

/** Removes expired uses of keys, one day at a time. Neither uses nor their removal are audited. */
export const keyRemovals: readonly Job[] = kept.map(removalOf);

function removalOf({ name, table, days, day, before, of }: Kept): Job {
  const rows = raw(`${table} u`);
  return {
    name,
    inspect: db =>
      db.rows<Due>(sql`
        SELECT due.* FROM organization o CROSS JOIN LATERAL (
          SELECT u.organization_id AS "organizationId", count(*)::int AS count,
            (min(${day}) + ${days}::int + 1)::timestamp AT TIME ZONE 'UTC' AS since
          FROM ${rows} WHERE u.organization_id = o.id AND ${before(firstKept(days))} GROUP BY u.organization_id) AS due
        ORDER BY due.since`),
    async find(db, organizationId, max) {
      const found = await db.rows<{ day: string }>(sql`
        SELECT DISTINCT (${day})::text AS day FROM ${rows}
        WHERE u.organization_id = ${organizationId} AND ${before(firstKept(days))} ORDER BY day LIMIT ${max}`);
      return found.map(row => row.day);
    },
    carryOut: (writes, request, ids) =>
      writes.runUnordered(request, async (write, session) => {
        let count = 0;
        for (const id of ids)
          count += await session.run(
            sql`DELETE FROM ${rows} WHERE u.organization_id = ${write.organizationId} AND ${of(id)}`,
          );
        return count;
      }),
  };
}

/** Start of the first day to keep. */
function firstKept(days: number): string {
  return `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`;
}

function dayBehind(day: string): string {
  return `${new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`;
}
