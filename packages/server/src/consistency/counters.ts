import type { Pool } from '../db/connect.ts';
import { inLongTransaction } from '../db/transaction.ts';
import type { Queryable } from '../db/session.ts';
import { raw, sql } from '../db/sql.ts';
import { runAtClock } from '../write/run-at-clock.ts';
import { operator } from '../write/writes.ts';
import type { Where } from './documents.ts';
import { resourceTypes, type ResourceType } from './resource-types.ts';
import type { Finding } from './finding.ts';

/** The advisory lock of counter repairs. The number has no meaning. */
const repairLock = 1_902_447_316;

interface WrongCounter {
  readonly type: ResourceType;
  /** The place that it counts, see `placesOf`. */
  readonly scope: string;
  readonly kept: number;
  readonly real: number;
}

/**
 * Compares the counters of an organization with its rows in one snapshot, while other writes go on, and repairs them. A correct write
 * changes counter and rows alike, so the difference stays constant until a repair adds it. The repair therefore need not count under the
 * organization's lock. Concurrent repairs would add the difference twice, so they wait for each other.
 */
export async function checkCounters({ db, organizationId, repair }: Where): Promise<Finding[]> {
  const wrong = await inLongTransaction(db, async session => {
    if (repair)
      await session.run(sql`SELECT pg_advisory_xact_lock(${repairLock}, hashtext(${organizationId}))`);
    const found: WrongCounter[] = [];
    for (const type of resourceTypes) found.push(...(await findWrongCounters(session, organizationId, type)));
    if (repair && found.length > 0) await addDifferences(db, organizationId, found);
    return found;
  });
  return wrong.map(({ type, scope, kept, real }) => ({
    check: 'counters',
    organizationId,
    kind: 'counter',
    target: `${type.name} ${scope === '' ? 'organization' : scope}`,
    problem: `it says ${kept}, and there are ${real}`,
    outcome: repair ? 'repaired' : 'repairable',
  }));
}

async function findWrongCounters(
  db: Queryable,
  organizationId: string,
  type: ResourceType,
): Promise<WrongCounter[]> {
  const rows = await db.rows<{ scope: string; kept: string; real: string }>(sql`
    SELECT scope, coalesce(kept.n, 0) AS kept, coalesce(there.n, 0) AS real
    FROM (
      SELECT scope, sum(n) AS n FROM (
        SELECT tenant_id, division_id, count(*) AS n FROM ${raw(type.table)}
        WHERE organization_id = ${organizationId} GROUP BY tenant_id, division_id) AS place,
        unnest(ARRAY['', coalesce(tenant_id, 'none'), division_id]) AS scope
      WHERE scope IS NOT NULL GROUP BY scope) AS there
    FULL JOIN (
      SELECT scope, n FROM counter
      WHERE organization_id = ${organizationId} AND resource_type = ${type.name}) AS kept USING (scope)
    WHERE coalesce(kept.n, 0) <> coalesce(there.n, 0) ORDER BY scope`);
  return rows.map(({ scope, kept, real }) => ({ type, scope, kept: Number(kept), real: Number(real) }));
}

async function addDifferences(
  db: Pool,
  organizationId: string,
  wrong: readonly WrongCounter[],
): Promise<void> {
  await runAtClock(db, organizationId, operator, write => {
    for (const { type, scope, kept, real } of wrong) write.count(type.name, [scope], real - kept);
    const names = new Set(wrong.map(({ type }) => type.name));
    write.audit({ id: organizationId, action: 'organization.repair', fields: [...names] });
  });
}
