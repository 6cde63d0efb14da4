import { allOf, type ListView, type Question, questionOf, type QueueSearch } from '../../kit/list/search.ts';

/** The state of the list of orders that the address holds. It has identifiers and order numbers, but no name of a person. */
export type OrdersSearch = QueueSearch<'order'>;

/** The query parameters of the list: the oldest order under review first, of all orders the newest. */
export function questionOfOrders(
  { all, order: _order, ...search }: ListView<OrdersSearch>,
  ofPersons?: string,
): Question {
  const sort = search.sort ?? (all ? '-submittedAt' : 'submittedAt');
  const filter = allOf(all ? undefined : 'status = under_review', search.filter);
  return questionOf({ ...search, sort, filter }, ['orderNumber'], ofPersons);
}
