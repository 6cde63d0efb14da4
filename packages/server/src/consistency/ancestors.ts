import { inLongTransaction } from '../db/transaction.ts';
import type { Queryable } from '../db/session.ts';
import { type Fragment, sql } from '../db/sql.ts';
import { writeOrdered, operator } from '../write/writes.ts';
import type { Where } from './documents.ts';
import type { Finding } from './finding.ts';

/** Divisions whose lines are written anew in one turn. */
const turnSize = 200;

interface WrongDivision {
  readonly id: string;
  /** Whether it is below itself, so that nobody knows what is above it. */
  readonly circular: boolean;
}

/**
 * Checks that `division_ancestor` says what the parents of the divisions say, and writes the lines of those anew of which it
 * does not. What is kept and what is worked out are of one instant, while others write on.
 */
export async function checkAncestors({ db, organizationId, repair }: Where): Promise<Finding[]> {
  const wrong = await inLongTransaction(db, session => wrongDivisions(session, organizationId));
  const repairable = wrong.filter(({ circular }) => !circular).map(({ id }) => id);
  if (repair)
    for (let at = 0; at < repairable.length; at += turnSize)
      await writeLines({ db, organizationId }, repairable.slice(at, at + turnSize));
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

/** Each division (of these, or of all) with every one above it, itself included. Two lines alike are one, which ends a circle. */
function walk(organizationId: string, which: Fragment): Fragment {
  return sql`
    WITH RECURSIVE line AS (
      SELECT id AS division_id, id AS ancestor_id, parent_id FROM division
      WHERE organization_id = ${organizationId} AND ${which}
      UNION
      SELECT line.division_id, above.id, above.parent_id
      FROM line JOIN division above ON above.organization_id = ${organizationId} AND above.id = line.parent_id)`;
}

function wrongDivisions(db: Queryable, organizationId: string): Promise<WrongDivision[]> {
  return db.rows<WrongDivision>(sql`${walk(organizationId, sql`true`)}
    SELECT division_id AS id, bool_or(circular) AS circular FROM (
      SELECT division_id, false AS circular
      FROM (SELECT division_id, ancestor_id, true AS walked FROM line) AS walked
      FULL JOIN (SELECT division_id, ancestor_id, true AS kept FROM division_ancestor
        WHERE organization_id = ${organizationId}) AS kept USING (division_id, ancestor_id)
      WHERE walked IS NULL OR kept IS NULL
      UNION ALL SELECT division_id, true FROM line WHERE parent_id = division_id) AS wrong
    GROUP BY division_id ORDER BY division_id`);
}

/** Works the lines out in a turn, in which no division moves. */
function writeLines(
  { db, organizationId }: Pick<Where, 'db' | 'organizationId'>,
  ids: readonly string[],
): Promise<void> {
  return writeOrdered(db, organizationId, operator, async (turn, session) => {
    const lines = await session.rows<{ division_id: string; ancestor_id: string }>(sql`
      ${walk(organizationId, sql`id = ANY(${[...ids]}::text[])`)} SELECT division_id, ancestor_id FROM line`);
    turn.write(sql`
      DELETE FROM division_ancestor
      WHERE organization_id = ${organizationId} AND division_id = ANY(${[...ids]}::text[])`);
    turn.write(sql`
      INSERT INTO division_ancestor (organization_id, ancestor_id, division_id)
      SELECT ${organizationId}::text, * FROM unnest(${lines.map(line => line.ancestor_id)}::text[],
        ${lines.map(line => line.division_id)}::text[])`);
    for (const id of ids) turn.audit({ id, action: 'division.repair', fields: ['parentId'] });
  });
}
