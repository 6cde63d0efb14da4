import type { Pool } from '../db/connect.ts';
import { isRejected, violatedConstraint } from '../db/failure.ts';
import { assignments, raw, sql } from '../db/sql.ts';
import { runAtClock } from '../write/run-at-clock.ts';
import { operator } from '../write/writes.ts';
import type { ResourceType } from './resource-types.ts';
import type { Finding } from './finding.ts';
import { checkRow } from './check-row.ts';
import { type PlacedRow, rowsOf } from './rows.ts';

/** Rows repaired per write. Other writes wait for it a few milliseconds. */
const writeSize = 50;

export interface Where {
  readonly db: Pool;
  readonly organizationId: string;
  readonly repair: boolean;
}

export async function checkRows(
  where: Where,
  type: ResourceType,
  rows: readonly PlacedRow[],
): Promise<Finding[]> {
  const checked = rows.map(({ row, employee }) => ({ id: row.id, ...checkRow(type, row, employee) }));
  const repairable = checked.filter(({ problems }) => problems.some(({ isRepairable }) => isRepairable));
  const rejected = new Map<string, string>();
  if (where.repair)
    for (let at = 0; at < repairable.length; at += writeSize) {
      const ids = repairable.slice(at, at + writeSize).map(({ id }) => id);
      await repairSome(where, type, ids, rejected);
    }
  return checked.flatMap(({ id, problems }) =>
    problems.map(({ text, isRepairable }): Finding => {
      const rejection = isRepairable ? rejected.get(id) : undefined;
      return {
        check: 'documents',
        organizationId: where.organizationId,
        kind: type.name,
        target: id,
        problem: rejection === undefined ? text : `${text}; the repair was rejected by ${rejection}`,
        outcome: !isRepairable || rejection !== undefined ? 'lost' : where.repair ? 'repaired' : 'repairable',
      };
    }),
  );
}

/** Repairs rows in one write. If the database rejects it, repairs each row in its own write and records the rejected ones. */
async function repairSome(
  where: Where,
  type: ResourceType,
  ids: readonly string[],
  rejected: Map<string, string>,
): Promise<void> {
  try {
    await repairRows(where, type, ids);
  } catch (error) {
    if (!isRejected(error)) throw error;
    if (ids.length > 1) for (const id of ids) await repairSome(where, type, [id], rejected);
    else rejected.set(ids[0]!, violatedConstraint(error) ?? 'the database');
  }
}

/** Reads the rows again under the organization's lock, and rebuilds the search columns that are still wrong. */
function repairRows(
  { db, organizationId }: Where,
  type: ResourceType,
  ids: readonly string[],
): Promise<void> {
  return runAtClock(db, organizationId, operator, async (write, session) => {
    for (const { row, employee } of await rowsOf(session, organizationId, type, ids)) {
      const { problems, searchColumns, fields } = checkRow(type, row, employee);
      if (!problems.some(({ isRepairable }) => isRepairable)) continue;
      write.send(sql`
        UPDATE ${raw(type.table)} SET ${assignments(searchColumns)}
        WHERE organization_id = ${organizationId} AND id = ${row.id}`);
      write.audit({ id: row.id, action: `${type.name}.repair`, fields });
    }
  });
}
