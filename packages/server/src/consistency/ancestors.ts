import { inLongTransaction } from '../db/transaction.ts';
import type { Queryable } from '../db/session.ts';
import { type Fragment, sql } from '../db/sql.ts';
import { runAtClock } from '../write/run-at-clock.ts';
import { operator } from '../write/writes.ts';
import type { Where } from './documents.ts';
import type { Finding } from './finding.ts';

/** Divisions repaired per write. */
const writeSize = 200;

interface WrongDivision {
  readonly id: string;
  /** Whether the division is its own ancestor. */
  readonly circular: boolean;
}

/**
 * Compares the closure table `division_ancestor` with the parents of the divisions, in one snapshot, while other writes go on.
 * Rebuilds the rows of divisions that differ.
 */
export async function checkAncestors({ db, organizationId, repair }: Where): Promise<Finding[]> {
  const wrong = await inLongTransaction(db, session => findWrongDivisions(session, organizationId));
  const repairable = wrong.filter(({ circular }) => !circular).map(({ id }) => id);
  if (repair)
    for (let at = 0; at < repairable.length; at += writeSize)
      await writeAncestors({ db, organizationId }, repairable.slice(at, at + writeSize));
  return wrong.map(({ id, circular }) => ({
    check: 'ancestors',
    organizationId,
    kind: 'division',
    target: id,
    problem: circular
      ? 'its parents lead back to itself'
      : 'division_ancestor does not have the divisions above it',
    outcome: circular ? 'lost' : repair ? 'repaired' : 'repairable',
  }));
}

/** Selects each division (of these, or of all) with all its ancestors and itself. UNION drops repeated rows, which ends a cycle. */
function computeAncestors(organizationId: string, which: Fragment): Fragment {
  return sql`
    WITH RECURSIVE line AS (
      SELECT id AS division_id, id AS ancestor_id, parent_id FROM division
      WHERE organization_id = ${organizationId} AND ${which}
      UNION
      SELECT line.division_id, above.id, above.parent_id
      FROM line JOIN division above ON above.organization_id = ${organizationId} AND above.id = line.parent_id)`;
}

function findWrongDivisions(db: Queryable, organizationId: string): Promise<WrongDivision[]> {
  return db.rows<WrongDivision>(sql`${computeAncestors(organizationId, sql`true`)}
    SELECT division_id AS id, bool_or(circular) AS circular FROM (
      SELECT division_id, false AS circular
      FROM (SELECT division_id, ancestor_id, true AS walked FROM line) AS walked
      FULL JOIN (SELECT division_id, ancestor_id, true AS kept FROM division_ancestor
        WHERE organization_id = ${organizationId}) AS kept USING (division_id, ancestor_id)
      WHERE walked IS NULL OR kept IS NULL
      UNION ALL SELECT division_id, true FROM line WHERE parent_id = division_id) AS wrong
    GROUP BY division_id ORDER BY division_id`);
}

/** Recomputes the rows in a write, because divisions cannot move during it. */
function writeAncestors(
  { db, organizationId }: Pick<Where, 'db' | 'organizationId'>,
  ids: readonly string[],
): Promise<void> {
  return runAtClock(db, organizationId, operator, async (write, session) => {
    const lines = await session.rows<{ division_id: string; ancestor_id: string }>(sql`
      ${computeAncestors(organizationId, sql`id = ANY(${[...ids]}::text[])`)} SELECT division_id, ancestor_id FROM line`);
    write.send(sql`
      DELETE FROM division_ancestor
      WHERE organization_id = ${organizationId} AND division_id = ANY(${[...ids]}::text[])`);
    write.send(sql`
      INSERT INTO division_ancestor (organization_id, ancestor_id, division_id)
      SELECT ${organizationId}::text, * FROM unnest(${lines.map(line => line.ancestor_id)}::text[],
        ${lines.map(line => line.division_id)}::text[])`);
    for (const id of ids) write.audit({ id, action: 'division.repair', fields: ['parentId'] });
  });
}
