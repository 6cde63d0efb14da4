import { ApiError } from '@kontor/contract';
import { nextInstant } from './clock.ts';
import type { Queryable } from './session.ts';
import { type Fragment, sql } from './sql.ts';

/**
 * Takes the next instant of the organization clock for a change of tenants or divisions. It locks the organization until
 * the commit, so it comes first in the transaction.
 * @throws 422 INVALID_REFERENCE.
 */
export async function advanceTree(db: Queryable, organizationId: string): Promise<Date> {
  const [row] = await db.rows<{ clock: Date }>(sql`
    UPDATE organization SET clock = ${nextInstant}, tree_version = tree_version + 1
    WHERE id = ${organizationId} RETURNING clock`);
  if (!row)
    throw new ApiError('INVALID_REFERENCE', `organization: there is no organization ${organizationId}`);
  return row.clock;
}

/**
 * Says that the tree of divisions has changed, in a transaction that holds the organization clock: writes that were checked
 * against the tree before are checked again.
 */
export function changeTree(organizationId: string): Fragment {
  return sql`UPDATE organization SET tree_version = tree_version + 1 WHERE id = ${organizationId}`;
}
