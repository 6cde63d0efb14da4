import type { TestSession, Sql } from '../database/sql.ts';
import { runAtClock } from '../../../src/write/run-at-clock.ts';
import { operator } from '../../../src/write/writes.ts';

/**
 * Moves a division below another one of its tenant (null: makes it a root). Builds `division_ancestor` of the organization
 * again from the parents, so that it does not depend on how the service does it.
 */
export async function moveDivision(
  sql: Sql,
  organizationId: string,
  move: { id: string; parentId: string | null },
): Promise<void> {
  await sql.begin(transaction => moveDivisionIn(transaction, organizationId, move));
}

/** The same in a transaction of the caller. */
export async function moveDivisionIn(
  transaction: TestSession,
  organizationId: string,
  move: { id: string; parentId: string | null },
): Promise<void> {
  await runAtClock(transaction, organizationId, operator, () => {});
  await transaction`
    UPDATE division SET parent_id = ${move.parentId},
      doc = regexp_replace(doc, '"parentId":("[^"]*"|null)', ${`"parentId":${JSON.stringify(move.parentId)}`})
    WHERE organization_id = ${organizationId} AND id = ${move.id}`;
  await transaction`DELETE FROM division_ancestor WHERE organization_id = ${organizationId}`;
  await transaction`
    INSERT INTO division_ancestor (organization_id, ancestor_id, division_id)
    WITH RECURSIVE line AS (
      SELECT id AS division_id, id AS ancestor_id, parent_id FROM division WHERE organization_id = ${organizationId}
      UNION ALL
      SELECT line.division_id, above.id, above.parent_id
      FROM line JOIN division above ON above.organization_id = ${organizationId} AND above.id = line.parent_id
    )
    SELECT ${organizationId}::text, ancestor_id, division_id FROM line`;
}
