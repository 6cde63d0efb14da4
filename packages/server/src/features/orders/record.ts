import { fold, foldVersion, type Order } from '@kontor/contract';
import { searchText } from '../../collection/search-text.ts';

/** The version of the stored document, so that a later shape can be rolled out in batches. */
const orderDocVersion = 1;

/**
 * The columns of `employee_order` that follow from its public document but for its employee and instants of writing, with
 * their PostgreSQL types.
 */
export const orderColumns = {
  id: 'text',
  order_number: 'text',
  folded_order_number: 'text',
  search: 'text',
  status: 'text',
  submitted_at: 'timestamptz',
  doc_version: 'smallint',
  fold_version: 'smallint',
} as const;

export type OrderColumn = keyof typeof orderColumns;
export type OrderRow = Record<OrderColumn, string | number>;

/** The public fields of an order that an import gives; its employee is looked up, and the service stamps the rest. */
export type OrderData = Omit<Order, 'id' | 'employeeId' | 'attachments' | 'createdAt' | 'updatedAt'>;

/** The row of an order. */
export function orderRow(order: OrderData & { id: string }): OrderRow {
  const folded = fold(order.orderNumber);
  return {
    id: order.id,
    order_number: order.orderNumber,
    folded_order_number: folded,
    search: searchText([folded]),
    status: order.status,
    submitted_at: order.submittedAt,
    doc_version: orderDocVersion,
    fold_version: foldVersion,
  };
}

/** The document in the order of the contract. */
export function documentOf(order: Order): string {
  const document: Order = {
    id: order.id,
    orderNumber: order.orderNumber,
    employeeId: order.employeeId,
    status: order.status,
    products: order.products,
    contract: order.contract,
    attachments: order.attachments,
    hrHistory: order.hrHistory,
    submittedAt: order.submittedAt,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
  return JSON.stringify(document);
}

/**
 * The document of a new order in two parts: between them goes the identifier of the employee, and behind them go the two
 * timestamps ({@link documentEnd}). Only the database, and the turn of the import, know these.
 */
export function splitDocument(order: OrderData & { id: string }): { head: string; tail: string } {
  const { id, orderNumber, status, products, contract, hrHistory, submittedAt } = order;
  const before = JSON.stringify({ id, orderNumber });
  const behind = JSON.stringify({ status, products, contract, attachments: [], hrHistory, submittedAt });
  return { head: `${before.slice(0, -1)},"employeeId":"`, tail: `",${behind.slice(1, -1)},` };
}

/** What completes the document of a new order. */
export function documentEnd(createdAt: string, updatedAt: string): string {
  return `"createdAt":"${createdAt}","updatedAt":"${updatedAt}"}`;
}
