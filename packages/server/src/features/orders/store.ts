import type { ContractRecord, Employee, Order, OrderDetails } from '@kontor/contract';
import { findInScope } from '../../auth/find-in-scope.ts';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import type { Scope } from '../../auth/scope.ts';
import { scopePredicate } from '../../auth/scope-predicate.ts';
import { type Attached, digestAssignment } from '../../files/keeping.ts';
import { displayName, type Searched } from '../../query/search-all.ts';
import type { WriteAtClock } from '../../write/writes.ts';
import { type Recorded, recordOf } from './contract-record.ts';
import { orderResource } from './mapping.ts';

/** The last day of the contract of an active order `o`, as in the index `employee_order_due`. */
export const lastDay = sql`(CASE o.status WHEN 'active' THEN o.doc::jsonb #>> '{contract,endDate}' END COLLATE "C")`;

/** Counts along the index `employee_order_due`, in which an order under review has no last day. */
export async function countUnderReview(db: Queryable, scope: Scope, tenant: string | null): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM employee_order o
    WHERE ${scopePredicate(scope, tenant)} AND o.status = 'under_review' AND ${lastDay} IS NULL`);
  return row!.count;
}

export function searchedOrders(scope: Scope): Searched {
  return {
    rows: sql`
      SELECT id, order_number AS name, folded_order_number, search, tenant_id AS tenant,
        (SELECT ${displayName(sql`e.doc::jsonb`)} FROM employee e
         WHERE e.organization_id = ${scope.organizationId} AND e.id = employee_id) AS detail
      FROM employee_order WHERE ${scopePredicate(scope, null)}`,
    columns: ['folded_order_number'],
    isIndexed: true,
  };
}

export interface Found {
  readonly order: Order;
  readonly employee: { readonly blocked: boolean };
}

/** The order of a call, with its record. */
export interface FoundOrder extends Found, Recorded {
  /** Whether the data of the employee were erased. */
  readonly erased: boolean;
}

export async function findOrder(
  db: Queryable,
  scope: Scope,
  tenant: string | null,
  id: string,
): Promise<FoundOrder | null> {
  const row = await findInScope<Omit<FoundOrder, 'order' | 'employee'> & { doc: string; blocked: boolean }>(
    db,
    { table: 'employee_order', scope, tenant, id },
    sql`doc, contract_record AS record, product_benefits AS "productBenefits", (SELECT blocked FROM employee e
      WHERE e.organization_id = ${scope.organizationId} AND e.id = employee_id) AS blocked,
      (SELECT erased_at IS NOT NULL FROM employee e
      WHERE e.organization_id = ${scope.organizationId} AND e.id = employee_id) AS erased`,
  );
  if (row === null) return null;
  const { doc, blocked, ...rest } = row;
  return { order: orderResource.parse(doc), employee: { blocked }, ...rest };
}

/** Finds an order in scope with what HR reads beside it. Identifiers of users are not in the public API, so only here they become names. */
export async function findOrderDetails(
  db: Queryable,
  scope: Scope,
  tenant: string | null,
  id: string,
): Promise<Omit<OrderDetails, 'history'> | null> {
  const row = await findInScope<{
    doc: string;
    record: ContractRecord | null;
    employee: string | null;
    decidedBy: string | null;
  }>(
    db,
    { table: 'employee_order', scope, tenant, id },
    sql`doc, contract_record AS record,
      (SELECT doc FROM employee e WHERE e.organization_id = ${scope.organizationId} AND e.id = employee_id
        AND e.erased_at IS NULL) AS employee,
      (SELECT name FROM portal_user u WHERE u.organization_id = ${scope.organizationId}
        AND u.id = doc::jsonb #>> '{hrHistory,decisionBy}') AS "decidedBy"`,
  );
  if (row === null) return null;
  const employee = row.employee === null ? null : (JSON.parse(row.employee) as Employee);
  const order = orderResource.parse(row.doc);
  const contractRecord = recordOf({ order, record: row.record });
  return { order, contractRecord, employee, decidedBy: row.decidedBy };
}

/** An order with the known SHA-256 of its documents, by attachment identifier. */
export interface Documented {
  readonly order: Order;
  readonly digests: Readonly<Record<string, string>>;
  /** Whether the data of the employee were erased. */
  readonly erased: boolean;
}

export async function findDocumented(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<Documented | null> {
  const [row] = await db.rows<{ doc: string } & Omit<Documented, 'order'>>(sql`
    SELECT doc, attachment_sha256 AS digests, (SELECT erased_at IS NOT NULL FROM employee e
      WHERE e.organization_id = ${organizationId} AND e.id = employee_id) AS erased
    FROM employee_order WHERE organization_id = ${organizationId} AND id = ${id}`);
  return row ? { ...row, order: orderResource.parse(row.doc) } : null;
}

export type OrderAction =
  | 'order.apply_version'
  | 'order.attach'
  | 'order.decide'
  | 'order.cancel'
  | 'order.expire'
  | 'order.make_ready'
  | 'order.hand_over'
  | 'order.complete'
  | 'order.end_contract'
  | 'order.withdraw_end'
  | 'order.change_contract'
  | 'order.withdraw_version';

export interface Update {
  readonly order: Order;
  readonly action: OrderAction;
  readonly fields: readonly string[];
  readonly attached?: Attached;
  /** Only with an end or a version, which change it. */
  readonly record?: ContractRecord | undefined;
}

/** Whether what payroll depends on changes: the contract, and that it begins. A version counts when it is recorded, not when its month comes. */
function changesPayroll({ action, fields }: Update): boolean {
  if (action === 'order.apply_version') return false;
  return action === 'order.hand_over' || fields.includes('contract');
}

/** Returns the document of the order. */
export function updateOrder(write: WriteAtClock, update: Update): string {
  const { order, action, fields, attached, record } = update;
  const { id, status, updatedAt } = order;
  const doc = orderResource.document(order);
  write.send(sql`
    UPDATE employee_order SET status = ${status}, updated_at = ${updatedAt}, doc = ${doc},
      payroll_changed_at = CASE WHEN ${changesPayroll(update)}::boolean THEN ${write.at}
        ELSE coalesce(payroll_changed_at, updated_at) END ${digestAssignment(attached)}
      ${recordAssignment(record)}
    WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({ id, action, fields });
  return doc;
}

function recordAssignment(record: ContractRecord | undefined): Fragment {
  return record ? sql`, contract_record = ${JSON.stringify(record)}::json` : sql``;
}

/** Stores many changed orders in one statement. None of them has a new attachment. */
export function updateOrders(write: WriteAtClock, updates: readonly Update[]): void {
  if (updates.length === 0) return;
  const orders = updates.map(({ order }) => order);
  write.send(sql`
    UPDATE employee_order o SET status = i.status, updated_at = ${write.at}, doc = i.doc,
      payroll_changed_at = CASE WHEN i.changes THEN ${write.at} ELSE coalesce(o.payroll_changed_at, o.updated_at) END
    FROM unnest(${orders.map(({ id }) => id)}::text[], ${orders.map(({ status }) => status)}::text[],
      ${orders.map(order => orderResource.document(order))}::text[], ${updates.map(changesPayroll)}::boolean[])
      AS i (id, status, doc, changes)
    WHERE o.organization_id = ${write.organizationId} AND o.id = i.id`);
  for (const { order, action, fields } of updates) write.audit({ id: order.id, action, fields });
}
