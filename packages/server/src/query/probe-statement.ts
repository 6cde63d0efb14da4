import { type Fragment, raw, sql } from '../db/sql.ts';
import type { Bound } from './bound.ts';
import { candidatesOf } from './candidates.ts';
import type { Order } from './order.ts';
import { anyOf, documentsOf, type Start, where } from './page-statement.ts';
import type { Selection } from './selection.ts';

/** What of a list is read, and in which order. */
interface Piece {
  readonly order: Order;
  readonly start: Start;
  readonly limit: number;
}

/**
 * A page with its total from the few rows that an index finds for a bound of the filter, as one row like that of a page
 * statement. The statement never costs more than these candidates do: when there are more of them than `most`, the total is
 * null and the page is not to be used.
 *
 * They are gone over twice, once to count them and once for the page, since neither takes all of them with their documents: to
 * count them the index may do, and the page ends where it is full when the list is in the order of the index.
 */
export function probeStatement(selection: Selection, bound: Bound, piece: Piece, most: number): Fragment {
  const { order, start, limit } = piece;
  const { select, selected } = candidatesOf(selection, bound, order, most);
  const counted = selected === null ? sql`count(*)` : sql`count(*) FILTER (WHERE ${selected})`;
  const behind = 'behind' in start ? anyOf(order.behind(start.behind)) : null;
  // No candidate lies behind `most`, and an offset is not made for any number.
  const before = 'offset' in start ? Number(start.offset > BigInt(most) ? most : start.offset) : 0;
  const page = sql`SELECT id, ${order.key} AS sort_key, doc FROM (${select}) AS candidate${where(selected, behind)}
    ORDER BY ${order.clause} LIMIT ${limit}::int OFFSET ${before}::int`;
  return sql`SELECT o.clock::text, total::text, NULL, NULL, NULL, p.*
FROM organization o, (SELECT CASE WHEN count(*) <= ${raw(String(most))} THEN ${counted} END AS total FROM (${select}) AS candidate) AS t,
  (${documentsOf(order, page)}) AS p
WHERE o.id = ${selection.scope.organizationId}`;
}
