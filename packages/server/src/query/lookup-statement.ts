import { empty, type Fragment, sql } from '../db/sql.ts';
import type { Bound } from './bound.ts';
import { candidatesOf } from './candidates.ts';
import type { Order } from './order.ts';
import type { Selection } from './selection.ts';

/**
 * The rows that an index finds for an equality or a list of values, in the order of the list: for each the clock of the
 * organization, its document, sort value and identifier. These three are null for a candidate that the list does not have, and
 * in the one row that says there is none. When there are more than `most` the list is to be read in another way.
 *
 * Nothing is put together or counted by the server: for the one row that such a list has most of the time that would take as
 * long as to find it.
 */
export function lookupStatement(selection: Selection, bound: Bound, order: Order, most: number): Fragment {
  const { select, selected } = candidatesOf(selection, bound, order, most);
  const seen = (column: Fragment) =>
    selected === null ? column : sql`CASE WHEN selected THEN ${column} END`;
  const picked = selected === null ? empty : sql`, (${selected}) AS selected`;
  return sql`SELECT o.clock::text, ${seen(sql`doc`)}, ${order.keyText === null ? sql`NULL` : seen(order.keyText)}, ${seen(sql`found.id`)}
FROM organization o LEFT JOIN LATERAL (
  SELECT id, doc, ${order.key} AS sort_key${picked} FROM (${select}) AS candidate ORDER BY ${order.clause}) AS found ON true
WHERE o.id = ${selection.scope.organizationId}`;
}
