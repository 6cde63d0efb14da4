import type { Queryable } from '../../../db/session.ts';
import { columnsOf, insertRows } from '../../../db/insert-rows.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import { placesOf, type WriteAtClock } from '../../../write/writes.ts';
import type { Rule } from '../decision-rules/rule.ts';
import { orderColumns, type OrderData, type OrderRow } from '../mapping.ts';

/** A new order, with everything that is known before its write. */
export interface NewOrder {
  readonly externalId: string;
  readonly employeeId: string;
  readonly digest: string;
  readonly data: OrderData;
  readonly row: OrderRow;
  /** The document up to its timestamps. */
  readonly head: string;
}

/** An order of an earlier intake. */
export interface KnownOrder {
  readonly id: string;
  readonly externalId: string;
  /** Null after an erasure of the employee's data. */
  readonly digest: string | null;
}

/** The employee of an order, with the rule of their tenant. Without a rule its fields are null. */
export interface Orderer extends Rule {
  readonly id: string;
  readonly tenantId: string | null;
  readonly divisionId: string | null;
  readonly blocked: boolean;
}

export interface Known {
  readonly orders: readonly KnownOrder[];
  readonly numbers: readonly string[];
  readonly employees: readonly Orderer[];
}

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

/** Returns rows `wanted` of values. Each value is looked up separately. */
function eachOf(values: readonly string[]): Fragment {
  return sql`unnest(${[...values]}::text[]) AS wanted (value)`;
}

/** Only a range makes PostgreSQL use the index in this order for a table without statistics. It expects one row there and caches the plan. */
const wantedOne = sql`BETWEEN wanted.value AND wanted.value`;

export interface Insertion {
  readonly write: WriteAtClock;
  readonly order: NewOrder;
  readonly employee: Orderer;
  readonly doc: string;
}

const columns = Object.keys(orderColumns) as (keyof OrderRow)[];

/** Max characters of documents per statement. The driver encodes all values of a statement at once and blocks the event loop meanwhile. */
const statementSize = 128 * 1024;

/** Stores the new orders of a transaction, in one statement unless they are large. */
export function insertOrders(insertions: readonly Insertion[]): void {
  for (const chunk of chunksOf(insertions)) chunk[0]!.write.send(insertionOf(chunk));
  for (const { write, order, employee } of insertions) {
    write.count('order', placesOf(employee.tenantId, employee.divisionId));
    // A decision by the rule is part of the audit entry of the creation.
    const fields = order.data.hrHistory === null ? [] : ['status', 'hrHistory'];
    write.audit({ id: order.row.id, action: 'order.create', fields });
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
  const column = columnsOf(insertions);
  const { at, organizationId } = insertions[0]!.write;
  const inserted = [
    { name: 'organization_id', type: 'text', value: organizationId },
    ...columns.map(name => column(name, ({ order }) => order.row[name], orderColumns[name])),
    column('employee_id', ({ employee }) => employee.id),
    column('tenant_id', ({ employee }) => employee.tenantId),
    column('division_id', ({ employee }) => employee.divisionId),
    column('external_id', ({ order }) => order.externalId),
    column('intake_digest', ({ order }) => order.digest),
    column('doc', ({ doc }) => doc),
    ...['created_at', 'updated_at'].map(name => ({ name, type: 'timestamptz', value: at })),
  ];
  return insertRows('employee_order', inserted);
}
