import type { Queryable } from '../../../db/session.ts';
import { insertRows } from '../../../db/insert-rows.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import { placesOf, type Turn } from '../../../write/writes.ts';
import type { Rule } from '../decision-rules/rule.ts';
import { orderColumns, type OrderRow } from '../mapping.ts';
import type { NewOrder } from './new-order.ts';

/** An order that was taken in. */
export interface KnownOrder {
  readonly id: string;
  readonly externalId: string;
  /** Of its intake; null once the data of the person were erased. */
  readonly digest: string | null;
}

/** Who an order is for, where that one stands, and the rule of that tenant; one that says nothing where there is none. */
export interface Orderer extends Rule {
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
}

/** Reads what these intakes depend on. */
export async function readKnown(
  db: Queryable,
  organizationId: string,
  orders: readonly NewOrder[],
): Promise<Known> {
  const externalIds = orders.map(({ externalId }) => externalId);
  const orderNumbers = orders.map(({ row }) => row.order_number);
  const employeeIds = [...new Set(orders.map(({ employeeId }) => employeeId))];
  const [known, numbers, employees] = await Promise.all([
    db.rows<KnownOrder>(sql`
      SELECT o.id, external_id AS "externalId", intake_digest AS digest
      FROM ${eachOf(externalIds)} CROSS JOIN LATERAL (
        SELECT id, external_id, intake_digest FROM employee_order
        WHERE organization_id = ${organizationId} AND external_id ${wantedOne}
        ORDER BY external_id LIMIT 1) AS o`),
    db.rows<{ number: string }>(sql`
      SELECT wanted.value AS number
      FROM ${eachOf(orderNumbers)} CROSS JOIN LATERAL (
        SELECT FROM employee_order
        WHERE organization_id = ${organizationId} AND order_number ${wantedOne}
        ORDER BY order_number LIMIT 1) AS o`),
    db.rows<Orderer>(sql`
      SELECT e.*, r.approve_up_to::text AS "approveUpTo", r.reject_above::text AS "rejectAbove", r.within_days AS "withinDays"
      FROM ${eachOf(employeeIds)} CROSS JOIN LATERAL (
        SELECT id, tenant_id AS "tenantId", division_id AS "divisionId", blocked FROM employee
        WHERE organization_id = ${organizationId} AND id ${wantedOne} AND erased_at IS NULL
        ORDER BY id LIMIT 1) AS e
      LEFT JOIN LATERAL (
        SELECT approve_up_to, reject_above, within_days FROM decision_rule
        WHERE organization_id = ${organizationId} AND tenant_id = e."tenantId" ORDER BY version DESC LIMIT 1) AS r ON true`),
  ]);
  return { orders: known, numbers: numbers.map(({ number }) => number), employees };
}

/** Rows `wanted` of these values, each of which is looked up by itself. */
function eachOf(values: readonly string[]): Fragment {
  return sql`unnest(${[...values]}::text[]) AS wanted (value)`;
}

/**
 * That a column, by which the row is ordered, is the value. Said as a range it is found by the index that has this order: of a table
 * without statistics the planner expects one row, to which any index of the organization leads as well, and the plan is kept.
 */
const wantedOne = sql`BETWEEN wanted.value AND wanted.value`;

/** A new order with its place and its document, and the turn of the write that stores it. */
export interface Insertion {
  readonly turn: Turn;
  readonly order: NewOrder;
  readonly employee: Orderer;
  readonly doc: string;
}

const columns = Object.keys(orderColumns) as (keyof OrderRow)[];

/** Most characters of the documents of one statement: the driver turns the values of a statement into bytes in one go. */
const statementSize = 128 * 1024;

/** Stores new orders of one transaction where their employees are, in one statement unless they are large. */
export function insertOrders(insertions: readonly Insertion[]): void {
  for (const chunk of chunksOf(insertions)) chunk[0]!.turn.write(insertionOf(chunk));
  for (const { turn, order, employee } of insertions) {
    turn.count('order', placesOf(employee.tenantId, employee.divisionId));
    // One that is decided at once has one entry of the audit all the same, which names what the decision has set.
    const fields = order.data.hrHistory === null ? [] : ['status', 'hrHistory'];
    turn.audit({ id: order.row.id, action: 'order.create', fields });
  }
}

function chunksOf(insertions: readonly Insertion[]): Insertion[][] {
  const chunks: Insertion[][] = [];
  let size = statementSize;
  for (const insertion of insertions) {
    size += insertion.doc.length;
    if (size > statementSize) {
      chunks.push([]);
      size = insertion.doc.length;
    }
    chunks.at(-1)!.push(insertion);
  }
  return chunks;
}

function insertionOf(insertions: readonly Insertion[]): Fragment {
  const text = (name: string, value: (insertion: Insertion) => string | null) => ({
    name,
    type: 'text',
    values: insertions.map(value),
  });
  const { at, organizationId } = insertions[0]!.turn;
  const inserted = [
    { name: 'organization_id', type: 'text', value: organizationId },
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
    ...['created_at', 'updated_at'].map(name => ({ name, type: 'timestamptz', value: at })),
  ];
  return insertRows('employee_order', inserted, insertions.length);
}
