import type { Pool } from '../db/connect.ts';
import { inLongTransaction } from '../db/long-transaction.ts';
import type { Queryable } from '../db/session.ts';
import { raw, sql } from '../db/sql.ts';
import { inTurn, operator } from '../write/writes.ts';
import type { Where } from './documents.ts';
import { families, type Family } from './families.ts';
import type { Finding } from './finding.ts';

/** Advisory lock of whoever repairs counters; the number has no meaning. */
const repairLock = 1_902_447_316;

/** A counter that is not the number of its rows. */
interface WrongCounter {
  readonly family: Family;
  /** Where it counts, see `placesOf`. */
  readonly scope: string;
  readonly kept: number;
  readonly real: number;
}

/**
 * Checks the counters of an organization against its rows, and puts them right. Rows and counters of one instant are compared,
 * while others write on. A correct write changes both alike, so a counter stays wrong by the same number until somebody adds
 * that: the repair needs no count under the clock. Two repairs at once would add it twice, so one waits for the other.
 */
export async function checkCounters({ db, organizationId, repair }: Where): Promise<Finding[]> {
  const wrong = await inLongTransaction(db, async session => {
    if (repair)
      await session.run(sql`SELECT pg_advisory_xact_lock(${repairLock}, hashtext(${organizationId}))`);
    const found: WrongCounter[] = [];
    for (const family of families) found.push(...(await wrongCounters(session, organizationId, family)));
    if (repair && found.length > 0) await addDifferences(db, organizationId, found);
    return found;
  });
  return wrong.map(({ family, scope, kept, real }) => ({
    check: 'counters',
    organizationId,
    kind: 'counter',
    target: `${family.name} ${scope === '' ? 'organization' : scope}`,
    problem: `it says ${kept}, and there are ${real}`,
    outcome: repair ? 'repaired' : 'repairable',
  }));
}

async function wrongCounters(db: Queryable, organizationId: string, family: Family): Promise<WrongCounter[]> {
  const rows = await db.rows<{ scope: string; kept: string; real: string }>(sql`
    SELECT scope, coalesce(kept.n, 0) AS kept, coalesce(there.n, 0) AS real
    FROM (
      SELECT scope, sum(n) AS n FROM (
        SELECT tenant_id, division_id, count(*) AS n FROM ${raw(family.table)}
        WHERE organization_id = ${organizationId} GROUP BY tenant_id, division_id) AS place,
        unnest(ARRAY['', coalesce(tenant_id, 'none'), division_id]) AS scope
      WHERE scope IS NOT NULL GROUP BY scope) AS there
    FULL JOIN (
      SELECT scope, n FROM counter
      WHERE organization_id = ${organizationId} AND family = ${family.name}) AS kept USING (scope)
    WHERE coalesce(kept.n, 0) <> coalesce(there.n, 0) ORDER BY scope`);
  return rows.map(({ scope, kept, real }) => ({ family, scope, kept: Number(kept), real: Number(real) }));
}

async function addDifferences(
  db: Pool,
  organizationId: string,
  wrong: readonly WrongCounter[],
): Promise<void> {
  await inTurn(db, organizationId, operator, turn => {
    for (const { family, scope, kept, real } of wrong) turn.count(family.name, [scope], real - kept);
    const names = new Set(wrong.map(({ family }) => family.name));
    turn.audit({ id: organizationId, action: 'organization.repair', fields: [...names] });
  });
}
