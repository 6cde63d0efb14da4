import { ApiError } from '@kontor/contract';
import { nextInstant } from './clock.ts';
import type { Statement, Statements } from './transaction.ts';

/**
 * Takes the next instant of the organization clock for a change of tenants or divisions. It locks the organization until
 * the commit, so it comes first in the transaction. Errors: 422 INVALID_REFERENCE.
 */
export async function advanceTree(sql: Statements, organizationId: string): Promise<Date> {
  const [row] = await sql<{ clock: Date }[]>`
    UPDATE organization SET clock = ${sql.unsafe(nextInstant)}, tree_version = tree_version + 1
    WHERE id = ${organizationId} RETURNING clock`;
  if (!row)
    throw new ApiError('INVALID_REFERENCE', `organization: there is no organization ${organizationId}`);
  return row.clock;
}

/**
 * Says that the tree of divisions has changed, in a transaction that holds the organization clock: writes that were checked
 * against the tree before are checked again.
 */
export function changeTree(sql: Statements, organizationId: string): Statement {
  return sql`UPDATE organization SET tree_version = tree_version + 1 WHERE id = ${organizationId}`;
}
