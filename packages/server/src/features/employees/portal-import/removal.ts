import { sql } from '../../../db/sql.ts';
import type { Due, Job } from '../../../jobs/job.ts';

const isExpired = sql`u.expires_at <= statement_timestamp() AND u.status NOT IN ('planning', 'applying')`;

/** Removes imports that were not applied within their days, and reports after theirs, with the data of people in them. */
export const employeeImportRemoval: Job = {
  name: 'employee_import_removal',
  inspect: db =>
    db.rows<Due>(sql`
      SELECT due.* FROM organization o CROSS JOIN LATERAL (
        SELECT u.organization_id AS "organizationId", count(*)::int AS count, min(u.expires_at) AS since
        FROM employee_import u WHERE u.organization_id = o.id AND ${isExpired} GROUP BY u.organization_id) AS due
      ORDER BY due.since`),
  async find(db, organizationId, max) {
    const rows = await db.rows<{ id: string }>(sql`
      SELECT id FROM employee_import u WHERE u.organization_id = ${organizationId} AND ${isExpired}
      ORDER BY u.expires_at LIMIT ${max}`);
    return rows.map(({ id }) => id);
  },
  carryOut: (writes, call, ids) =>
    writes.runWithoutClock(call, async (write, session) => {
      const rows = await session.rows<{ id: string }>(sql`
        DELETE FROM employee_import u
        WHERE u.organization_id = ${write.organizationId} AND u.id = ANY(${[...ids]}::text[]) AND ${isExpired}
        RETURNING u.id`);
      const removed = rows.map(({ id }) => id);
      for (const table of [sql`employee_import_file`, sql`employee_import_row`])
        write.send(sql`
          DELETE FROM ${table}
          WHERE organization_id = ${write.organizationId} AND import_id = ANY(${removed}::text[])`);
      for (const id of removed) write.audit({ id, action: 'employee_import.remove' });
      return removed.length;
    }),
};
