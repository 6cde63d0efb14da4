import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSearch } from '@tanstack/react-router';
import { ordersQuery } from '../../api/queries.ts';
import { useMayChange } from '../../kit/form/may-change.ts';
import { modelsOf, OrderState, useOrderStatusWords } from '../../kit/hr-words.tsx';
import type { Column, FileColumn } from '../../kit/list/data-table.tsx';
import { List, NoMatch } from '../../kit/list/list.tsx';
import { type Person, usePersonsOf } from '../../kit/list/persons.ts';
import {
  PersonCell,
  QueueFilter,
  showsAll,
  usePersonColumns,
  usePlaceColumns,
} from '../../kit/list/queue.tsx';
import { allOf, type ListView, type Question, questionOf, type QueueSearch } from '../../kit/list/search.ts';
import { useList } from '../../kit/list/use-list.ts';
import { useOpenPanel } from '../../kit/navigation/panel.ts';
import { Empty, Page } from '../../kit/navigation/page.tsx';
import { money } from '../../kit/numbers.ts';
import { nameOfPerson } from '../../kit/person.ts';
import { When } from '../../kit/when.tsx';
import { useOrderActions } from './order-actions.tsx';
import { OrderPanel } from './order-panel.tsx';
import type { Order } from './words.tsx';

/** The orders of the companies that the user does the work of HR for: those to be decided first, and one beside the list. */
export function OrdersPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/shell/orders' });
  const list = useList({
    route: 'POST /orders/search',
    search,
    questionOf: questionOfOrders,
    searchesPersons: true,
    queryOf: ordersQuery,
  });
  const { total: count } = list;
  const isAll = showsAll(search, list.filterText);
  const shown = list.answer.data?.items ?? [];
  const personOf = usePersonsOf(shown);
  const open = useOpenPanel('order');
  const mayChange = useMayChange();
  return (
    <Page
      title={t`Orders`}
      lead={
        mayChange ? (
          <Trans>Review and decide orders of employees.</Trans>
        ) : (
          <Trans>The orders of employees, and how they were decided.</Trans>
        )
      }
    >
      <List
        list={list}
        columns={useColumns(personOf, isAll)}
        valueWords={{ status: useOrderStatusWords() }}
        actions={useOrderActions()}
        nameOf={order => [nameOf(personOf(order)), order.orderNumber].filter(Boolean).join(', ')}
        exportRoute="POST /orders/export"
        fileColumns={useFileColumns(isAll)}
        searchLabel={t`Search by name or order number`}
        narrowing={
          <QueueFilter
            label={t`Orders to show`}
            open={t`To decide`}
            all={t`All orders`}
            isAll={isAll}
            change={changed =>
              list.change({ ...changed, ...(isAll && !search.all && { filter: undefined }) })
            }
          />
        }
        count={<Plural value={count} one="# order" other="# orders" />}
        empty={
          list.text !== undefined || list.filterText !== undefined ? (
            <NoMatch title={t`No matching orders`} showAll={<Trans>Show all orders to decide</Trans>}>
              <Trans>Search for a part of a name or of the order number, or change the filter.</Trans>
            </NoMatch>
          ) : (
            <Empty icon="check" title={search.all ? t`No orders yet` : t`No order is waiting for a decision`}>
              <Trans>New orders appear automatically.</Trans>
            </Empty>
          )
        }
      />
      {search.order !== undefined && <OrderPanel id={search.order} among={shown} open={open} />}
    </Page>
  );
}

const nameOf = (person: Person | undefined) => person && nameOfPerson(person);

/** The state is a column where it differs. */
function useColumns(personOf: (order: Order) => Person | undefined, isAll: boolean): Column<Order>[] {
  const { t } = useLingui();
  const statuses = useOrderStatusWords();
  return [
    {
      label: t`Person`,
      id: 'person',
      file: usePersonColumns(),
      cell: order => (
        <PersonCell person={personOf(order)} number={order.orderNumber} item={{ order: order.id }} />
      ),
    },
    {
      label: t`Products`,
      id: 'products',
      file: [{ field: 'products', label: t`Products` }],
      cell: order => modelsOf(order),
    },
    {
      label: t`Salary conversion per month`,
      id: 'conversion',
      file: [{ field: 'salaryConversion', label: t`Salary conversion per month` }],
      isAmount: true,
      cell: ({ contract }) => contract && money(contract.salaryConversion, contract.currency),
    },
    { label: t`Order number`, field: 'orderNumber', isExtra: true, cell: order => order.orderNumber },
    { label: t`Submitted`, field: 'submittedAt', cell: ({ submittedAt }) => <When at={submittedAt} /> },
    ...(isAll
      ? [
          {
            label: t`Status`,
            field: 'status',
            words: statuses,
            cell: ({ status }: Order) => <OrderState status={status} />,
          },
        ]
      : []),
  ];
}

/** The state, company and division, and the decision. */
function useFileColumns(isAll: boolean): FileColumn[] {
  const { t } = useLingui();
  const words = useOrderStatusWords();
  const status = { field: 'status', label: t`Status`, words };
  return [...(isAll ? [] : [status]), { field: 'decidedAt', label: t`Decided` }, ...usePlaceColumns()];
}

/** The state of the list of orders that the address holds. It has identifiers and order numbers, but no name of a person. */
export type OrdersSearch = QueueSearch<'order'>;

/** The query parameters of the list: the oldest order under review first, of all orders the newest. */
export function questionOfOrders(
  { all, order: _order, ...search }: ListView<OrdersSearch>,
  ofPersons?: string,
): Question {
  const isAll = showsAll({ all }, search.filter);
  const sort = search.sort ?? (isAll ? '-submittedAt' : 'submittedAt');
  const filter = allOf(isAll ? undefined : 'status = under_review', search.filter);
  return questionOf({ ...search, sort, filter }, ['orderNumber'], ofPersons);
}
