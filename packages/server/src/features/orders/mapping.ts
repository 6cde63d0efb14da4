import { Order, orderFields, type OrderProductIntake } from '@kontor/contract';
import { defineResource, everywhere, plain, searched } from '../../query/resource.ts';

/** Tenant and division of the row are those of the employee. */
export const orderResource = defineResource({
  table: 'employee_order',
  resourceType: 'order',
  schema: Order,
  fields: orderFields,
  stored: {
    id: plain('id', 'text', ...everywhere),
    orderNumber: searched('folded_order_number'),
    employeeId: plain('employee_id', 'text', 'organization'),
    status: plain('status'),
    submittedAt: plain('submitted_at', 'timestamptz'),
    createdAt: plain('created_at', 'timestamptz'),
    updatedAt: plain('updated_at', 'timestamptz', 'organization'),
  },
});

const { employee_id: _employee, created_at: _created, updated_at: _updated, ...types } = orderResource.types;

/** The columns of `employee_order` that {@link orderRow} sets, with their types. The number is unique without folding. */
export const orderColumns: Readonly<Record<string, string>> = {
  ...types,
  order_number: 'text',
  is_s_pedelec: 'boolean',
  product_benefits: 'json',
};

/** List price and benefit rule of a product. A rule without a benefit has a list price of null. */
export interface ProductBenefit {
  readonly rule: NonNullable<OrderProductIntake['benefitRule']>;
  readonly listPrice: string | null;
}

export type OrderData = Omit<Order, 'id' | 'employeeId' | 'attachments' | 'createdAt' | 'updatedAt'> & {
  /** Only payroll reads it; the public document does not have it. */
  readonly sPedelec: boolean;
  /** The same. */
  readonly productBenefits: readonly ProductBenefit[] | null;
};

export type OrderRow = ReturnType<typeof orderRow>;

export function orderRow(order: OrderData & { id: string }) {
  const { orderNumber, sPedelec, productBenefits } = order;
  return {
    ...orderResource.row(order),
    order_number: orderNumber,
    is_s_pedelec: sPedelec,
    product_benefits: productBenefits && JSON.stringify(productBenefits),
  };
}

/** Without the timestamps, which are set during the write. */
export function documentHead(order: OrderData & { id: string; employeeId: string }): string {
  return `{${orderResource.part({ ...order, attachments: [] }, 'id', 'createdAt')}`;
}

/** The document in two parts around the employee's identifier. An import looks this up in the database. */
export function splitDocument(order: OrderData & { id: string }): { head: string; tail: string } {
  const head = orderResource.part(order, 'id', 'employeeId');
  const tail = orderResource.part({ ...order, attachments: [] }, 'status', 'createdAt');
  return { head: `{${head}"employeeId":"`, tail: `",${tail}` };
}
