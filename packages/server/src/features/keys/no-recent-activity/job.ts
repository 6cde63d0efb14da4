import { Gauge, type Registry } from 'prom-client';
import type { Job, Due } from '../../../jobs/job.ts';
import type { Queryable } from '../../../db/session.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import type { Write } from '../../../write/writes.ts';
import { expectedInterval, hasNoRecentActivity, lastActivity, overdueFrom } from './state.ts';

export interface QuietKey {
  readonly id: string;
  readonly name: string;
  /** Time of the last success, or the start of watching. */
  readonly since: Date;
}

/** Reports keys of an organization to their contacts, in the transaction of the write. */
export type ReportKeys = (write: Write, session: Queryable, keys: readonly QuietKey[]) => Promise<void>;

/** Max uptime in seconds that is required before a key is reported. */
const maxWait = 3600;

/** Measures how long this process could receive requests without a break. Long gaps between the job's inspections count as breaks. */
export class Uptime {
  readonly #gap: number;
  readonly #now: () => number;
  #since: number | null = null;
  #last = 0;

  /**
   * @param gap milliseconds between two inspections that count as a break
   * @param now a clock in milliseconds, of any origin
   */
  constructor(gap: number, now: () => number = () => performance.now()) {
    this.#gap = gap;
    this.#now = now;
  }

  /** Whole seconds since the first inspection after the last break. */
  get seconds(): number {
    const now = this.#now();
    return this.#since === null || now - this.#last > this.#gap ? 0 : Math.floor((now - this.#since) / 1000);
  }

  /** Called after an inspection that the database has answered. */
  record(): void {
    const now = this.#now();
    if (this.#since === null || now - this.#last > this.#gap) this.#since = now;
    this.#last = now;
  }
}

/**
 * Reports each key without recent activity once, and exports their number as a metric. The report is recorded in the key's row in the
 * same transaction, so a killed process leaves both or neither. After an outage every key is overdue. A key is therefore reported only
 * after an uptime of its expected interval, at most an hour.
 */
export function noRecentActivityJob(registry: Registry, report: ReportKeys, uptime: Uptime): Job {
  const quiet = new Gauge({
    name: 'kontor_keys_without_recent_activity',
    help: 'Active API keys without a successful request within their expected interval when this process last looked',
    registers: [registry],
  });
  return {
    name: 'key_no_recent_activity',
    async inspect(db) {
      const found = await countByOrganization(db, uptime);
      uptime.record();
      quiet.set(found.reduce((sum, organization) => sum + organization.quiet, 0));
      return found.filter(({ count }) => count > 0);
    },
    find: (db, organizationId, max) => findUnreported(db, uptime, { organizationId, max }),
    carryOut: (writes, request, ids) =>
      writes.runUnordered(request, async (write, session) => {
        const keys = await lockUnreported(session, uptime, { organizationId: write.organizationId, ids });
        for (const { id } of keys) recordReport(write, id);
        if (keys.length > 0) await report(write, session, keys);
        return keys.length;
      }),
  };
}

const isUnreported = (organization: Fragment, { seconds }: Uptime): Fragment => sql`(
    (k.no_recent_activity_reported_at IS NULL OR k.no_recent_activity_reported_at < ${lastActivity})
    AND least(${expectedInterval(organization)}, ${maxWait}::int) <= ${seconds}::int)`;

function countByOrganization(db: Queryable, uptime: Uptime): Promise<(Due & { readonly quiet: number })[]> {
  const organization = sql`k.organization_id`;
  return db.rows(sql`
    SELECT due.* FROM organization o CROSS JOIN LATERAL (
      SELECT q.organization_id AS "organizationId", count(*)::int AS quiet,
        (count(*) FILTER (WHERE q.unreported))::int AS count, min(q.overdue_from) FILTER (WHERE q.unreported) AS since
      FROM (
        SELECT k.organization_id, ${overdueFrom(organization)} AS overdue_from, ${isUnreported(organization, uptime)} AS unreported
        FROM api_key k WHERE k.organization_id = o.id AND ${hasNoRecentActivity(organization)}) AS q
      GROUP BY q.organization_id) AS due
    ORDER BY due.since`);
}

async function findUnreported(
  db: Queryable,
  uptime: Uptime,
  { organizationId, max }: { organizationId: string; max: number },
): Promise<string[]> {
  const organization = sql`${organizationId}`;
  const rows = await db.rows<{ id: string }>(sql`
    SELECT k.id FROM api_key k WHERE k.organization_id = ${organizationId}
      AND ${hasNoRecentActivity(organization)} AND ${isUnreported(organization, uptime)}
    ORDER BY k.id LIMIT ${max}`);
  return rows.map(({ id }) => id);
}

/** Locks the keys and returns the ones that are still to be reported. */
function lockUnreported(
  session: Queryable,
  uptime: Uptime,
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
): Promise<QuietKey[]> {
  const organization = sql`${organizationId}`;
  return session.rows<QuietKey>(sql`
    SELECT k.id, k.name, ${lastActivity} AS since FROM api_key k
    WHERE k.organization_id = ${organizationId} AND k.id = ANY(${[...ids]}::text[])
      AND ${hasNoRecentActivity(organization)} AND ${isUnreported(organization, uptime)}
    ORDER BY k.id FOR NO KEY UPDATE OF k`);
}

function recordReport(write: Write, id: string): void {
  write.send(sql`
    UPDATE api_key SET no_recent_activity_reported_at = ${write.at}
    WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({ id, action: 'key.no_recent_activity' });
}
