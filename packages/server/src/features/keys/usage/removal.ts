import type { Due, Job } from '../../../jobs/job.ts';
import { type Fragment, raw, sql } from '../../../db/sql.ts';
import { errorDays } from './read.ts';

const operationDays = 90;

/** A table with a retention in days, in UTC. Its rows are `u`. */
interface Kept {
  readonly table: 'key_operation' | 'key_error';
  readonly days: number;
  readonly day: Fragment;
  /** Whether a row is from before a day, for an index. */
  readonly before: (day: Fragment) => Fragment;
}

const kept: readonly Kept[] = [
  { table: 'key_operation', days: operationDays, day: sql`u.day`, before: day => sql`u.day < ${day}` },
  {
    table: 'key_error',
    days: errorDays,
    day: sql`(u.last_at AT TIME ZONE 'UTC')::date`,
    before: day => sql`u.last_at < ${day}::timestamp AT TIME ZONE 'UTC'`,
  },
];

/** Removes expired uses of keys, one day at a time. Neither uses nor their removal are audited. */
export const keyRemovals: readonly Job[] = kept.map(({ table, days, day, before }): Job => {
  const rows = raw(`${table} u`);
  const isExpired = before(sql`((statement_timestamp() AT TIME ZONE 'UTC')::date - ${days}::int)`);
  return {
    name: `${table}_removal`,
    inspect: db =>
      db.rows<Due>(sql`
        SELECT due.* FROM organization o CROSS JOIN LATERAL (
          SELECT u.organization_id AS "organizationId", count(*)::int AS count,
            (min(${day}) + ${days}::int + 1)::timestamp AT TIME ZONE 'UTC' AS since
          FROM ${rows} WHERE u.organization_id = o.id AND ${isExpired} GROUP BY u.organization_id) AS due
        ORDER BY due.since`),
    async find(db, organizationId, max) {
      const found = await db.rows<{ day: string }>(sql`
        SELECT DISTINCT (${day})::text AS day FROM ${rows}
        WHERE u.organization_id = ${organizationId} AND ${isExpired} ORDER BY day LIMIT ${max}`);
      return found.map(row => row.day);
    },
    carryOut: (writes, request, found) =>
      writes.runUnordered(request, async (write, session) => {
        let count = 0;
        for (const each of found)
          count += await session.run(
            sql`DELETE FROM ${rows} WHERE u.organization_id = ${write.organizationId} AND ${before(sql`(${each}::date + 1)`)}`,
          );
        return count;
      }),
  };
});
