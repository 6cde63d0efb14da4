import { type Fragment, raw, sql } from '../db/sql.ts';
import type { Due, Job } from './job.ts';

/** A table with a retention in days, in UTC. Its rows are `u`, their organization is `o`. */
export interface Kept {
  readonly table: string;
  readonly days: Fragment;
  readonly day: Fragment;
  /** Whether a row is from before a day, for an index. */
  readonly before: (day: Fragment) => Fragment;
}

/** Removes expired rows, one day at a time. */
export function removalJob({ table, days, day, before }: Kept): Job {
  const rows = raw(`${table} u`);
  const isExpired = before(sql`((statement_timestamp() AT TIME ZONE 'UTC')::date - ${days})`);
  return {
    name: `${table}_removal`,
    inspect: db =>
      db.rows<Due>(sql`
        SELECT due.* FROM organization o CROSS JOIN LATERAL (
          SELECT u.organization_id AS "organizationId", count(*)::int AS count,
            (min(${day}) + ${days} + 1)::timestamp AT TIME ZONE 'UTC' AS since
          FROM ${rows} WHERE u.organization_id = o.id AND ${isExpired} GROUP BY u.organization_id) AS due
        ORDER BY due.since`),
    async find(db, organizationId, max) {
      const found = await db.rows<{ day: string }>(sql`
        SELECT DISTINCT (${day})::text AS day FROM ${rows} JOIN organization o ON o.id = u.organization_id
        WHERE u.organization_id = ${organizationId} AND ${isExpired} ORDER BY day LIMIT ${max}`);
      return found.map(row => row.day);
    },
    carryOut: (writes, call, found) =>
      writes.runWithoutClock(call, async (write, session) => {
        let count = 0;
        // The retention may have become longer since.
        for (const each of found)
          count += await session.run(sql`
            DELETE FROM ${rows} USING organization o
            WHERE u.organization_id = ${write.organizationId} AND o.id = u.organization_id
              AND ${before(sql`(${each}::date + 1)`)} AND ${isExpired}`);
        return count;
      }),
  };
}
