import type { Queryable } from '../../../database/session.ts';
import { inputRows } from '../../../database/input-rows.ts';
import { raw, sql } from '../../../database/sql.ts';
import { placesOf, type Turn } from '../../../writes/writes.ts';
import type { Rule } from '../automatic/rule.ts';
import { rulesOfEmployees } from '../automatic/store.ts';
import { orderColumns, type OrderRow } from '../record.ts';
import type { NewOrder } from './new-order.ts';

/** An order that was taken in. */
export interface KnownOrder {
  readonly id: string;
  readonly externalId: string;
  /** Of its intake; null once the data of the person were erased. */
  readonly digest: string | null;
}

/** Who an order is for, and where that one stands. */
export interface Orderer {
  readonly id: string;
  readonly tenantId: string | null;
  readonly divisionId: string | null;
  readonly blocked: boolean;
}

/** What intakes depend on, as far as it is there. */
export interface Known {
  readonly orders: readonly KnownOrder[];
  /** Those of the order numbers that are used. */
  readonly numbers: readonly string[];
  readonly employees: readonly Orderer[];
  /** By tenant. One that was removed decides nothing. */
  readonly rules: ReadonlyMap<string, Rule>;
}

/** Reads what these intakes depend on. */
export async function readKnown(
  db: Queryable,
  organizationId: string,
  orders: readonly NewOrder[],
): Promise<Known> {
  const externalIds = orders.map(({ externalId }) => externalId);
  const wanted = orders.map(({ row }) => row.order_number);
  const employeeIds = [...new Set(orders.map(({ employeeId }) => employeeId))];
  const [known, numbers, employees, rules] = await Promise.all([
    db.rows<KnownOrder>(sql`
      SELECT id, external_id AS "externalId", intake_digest AS digest FROM employee_order
      WHERE organization_id = ${organizationId} AND external_id = ANY(${externalIds}::text[])`),
    db.rows<{ number: string }>(sql`
      SELECT order_number AS number FROM employee_order
      WHERE organization_id = ${organizationId} AND order_number = ANY(${wanted}::text[])`),
    db.rows<Orderer>(sql`
      SELECT id, tenant_id AS "tenantId", division_id AS "divisionId", blocked FROM employee
      WHERE organization_id = ${organizationId} AND id = ANY(${employeeIds}::text[]) AND erased_at IS NULL`),
    rulesOfEmployees(db, organizationId, employeeIds),
  ]);
  return { orders: known, numbers: numbers.map(({ number }) => number), employees, rules };
}

/** A new order with its place and its document, and the turn of the write that stores it. */
export interface Insertion {
  readonly turn: Turn;
  readonly order: NewOrder;
  readonly employee: Orderer;
  readonly doc: string;
}

const columns = Object.keys(orderColumns) as (keyof OrderRow)[];

/** Stores new orders of one transaction in one statement, where their employees are. */
export function insertOrders(insertions: readonly Insertion[]): void {
  if (insertions.length === 0) return;
  const { turn } = insertions[0]!;
  const text = (name: string, value: (insertion: Insertion) => string | null) => ({
    name,
    type: 'text',
    values: insertions.map(value),
  });
  const input = [
    ...columns.map(name => ({
      name,
      type: orderColumns[name]!,
      values: insertions.map(({ order }) => order.row[name]),
    })),
    text('employee_id', ({ employee }) => employee.id),
    text('tenant_id', ({ employee }) => employee.tenantId),
    text('division_id', ({ employee }) => employee.divisionId),
    text('external_id', ({ order }) => order.externalId),
    text('intake_digest', ({ order }) => order.digest),
    text('doc', ({ doc }) => doc),
  ];
  turn.write(sql`
    INSERT INTO employee_order (organization_id, ${raw(input.map(({ name }) => name).join(', '))}, created_at, updated_at)
    SELECT ${turn.organizationId}::text, i.*, ${turn.at}::timestamptz, ${turn.at}::timestamptz FROM ${inputRows(input)}`);
  for (const { turn: own, order, employee } of insertions) {
    own.count('order', placesOf(employee.tenantId, employee.divisionId));
    // One that is decided at once has one entry of the audit all the same, which names what the decision has set.
    const fields = order.data.hrHistory === null ? [] : ['status', 'hrHistory'];
    own.audit({ id: order.row.id, action: 'order.create', fields });
  }
}
