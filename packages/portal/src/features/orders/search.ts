import {
  allOf,
  type ListSearch,
  type ListView,
  parseListSearch,
  type Question,
  questionOf,
} from '../../kit/list/search.ts';

/** The state of the list of orders that the address holds. It has identifiers and order numbers, but no name of a person. */
export interface OrdersSearch extends ListSearch {
  /** Whether orders in all states are listed; else those under review. */
  readonly all?: true | undefined;
  /** The order beside the list. */
  readonly order?: string | undefined;
}

export function parseOrdersSearch(search: Record<string, unknown>): OrdersSearch {
  const { all, order } = search;
  return {
    ...parseListSearch(search),
    all: all === true || undefined,
    order: typeof order === 'string' ? order : undefined,
  };
}

/** The query parameters of the list: the oldest order under review first, of all orders the newest. */
export function questionOfOrders({ all, order: _order, ...search }: ListView<OrdersSearch>): Question {
  const sort = search.sort ?? (all ? '-submittedAt' : 'submittedAt');
  const filter = allOf(all ? undefined : 'status = under_review', search.filter);
  return questionOf({ ...search, sort, filter }, ['orderNumber']);
}
