import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Order } from '@kontor/contract';
import type { EmployeeData } from '../../../src/features/employees/mapping.ts';
import { countersOf, storeEmployees } from './employees.ts';
import type { Sql } from '../database/sql.ts';
import type { TestData } from './test-data.ts';
import { newId } from '../../../src/db/ids.ts';
import { recordEnd, recordVersion } from '../../../src/features/orders/contract-record.ts';
import { importOrders } from '../../../src/features/orders/import/import.ts';
import { updateOrder } from '../../../src/features/orders/store.ts';
import { runAtClock } from '../../../src/write/run-at-clock.ts';
import { operator } from '../../../src/write/writes.ts';

/** Where imported orders go. */
export interface OrderTarget {
  readonly organizationId: string;
  readonly tenantId: string;
}

/** A product as an import takes it. */
export function productInput(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: 'Nox Helium', vatRate: '19.00', grossAmount: '3599.00', netAmount: '3024.3697', ...more };
}

/** A contract as an import takes it, without what follows from the other amounts. */
export function contractInput(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    termMonths: 36,
    currency: 'EUR',
    listPrice: '3599.00',
    purchasePrice: '3599.00',
    leasingRate: '98.10',
    leasingRateSubsidy: '20.00',
    insuranceRate: '9.90',
    insuranceRateSubsidy: '9.90',
    serviceRate: '5.00',
    serviceRateSubsidy: '0.00',
    ...more,
  };
}

/** An order as an import takes it, with another number each time; the employee must be named in `more`. */
export function orderInput(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    orderNumber: `A-${randomBytes(6).toString('hex')}`,
    products: [productInput()],
    submittedAt: '2026-09-01T10:00:00Z',
    ...more,
  };
}

/** The fields of an order after the decision of its state. */
export function historyInput(decision: 'approved' | 'rejected', more: Record<string, unknown> = {}) {
  return { decision, source: 'automatic', decidedAt: '2026-09-02T08:00:00Z', ...more };
}

export interface ImportedText {
  readonly imported: number;
  /** Whether a rule is to decide on those under review. */
  readonly awaitsRule: boolean;
  readonly rejected: number;
  /** The rows of the rejected file. */
  readonly rows: (Record<string, unknown> & { line: number; reason: string })[];
}

/** Imports a text of JSONL in this process. */
export async function importText(
  sql: Sql,
  target: OrderTarget,
  text: string | Uint8Array,
): Promise<ImportedText> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-orders-'));
  try {
    const outcome = await importOrders(sql, {
      target,
      file: path.join(folder, 'orders.jsonl'),
      chunks: chunks(Buffer.from(text)),
      signal: new AbortController().signal,
    });
    const rejected = outcome.rejectedFile === null ? '' : await readFile(outcome.rejectedFile, 'utf8');
    const rows = rejected.split('\n').slice(0, -1);
    return { ...outcome, rows: rows.map(row => JSON.parse(row)) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** In pieces that cut characters and lines anywhere. */
async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1009) yield bytes.subarray(at, at + 1009);
}

/** Stores orders, and answers their documents in order. @throws Error where one is rejected. */
export async function storeOrders(
  sql: Sql,
  target: OrderTarget,
  inputs: readonly Record<string, unknown>[],
): Promise<Order[]> {
  const outcome = await importText(sql, target, inputs.map(input => JSON.stringify(input)).join('\n'));
  if (outcome.rejected > 0) throw new Error(`rejected: ${JSON.stringify(outcome.rows)}`);
  const rows = await sql<{ order_number: string; doc: string }[]>`
    SELECT order_number, doc FROM employee_order WHERE organization_id = ${target.organizationId}`;
  const documents = new Map(rows.map(row => [row.order_number, JSON.parse(row.doc) as Order]));
  return inputs.map(input => documents.get(input['orderNumber'] as string)!);
}

/** Stores an order under review, with a contract, of a new person of tenant A. */
export async function storeOrderOf(
  sql: Sql,
  { organization, tenantA }: Pick<TestData, 'organization' | 'tenantA'>,
  person: Partial<EmployeeData>,
): Promise<Order> {
  const [employee] = await storeEmployees(sql, organization, [{ tenant: tenantA, ...person }]);
  const input = orderInput({ employeeId: employee!.id, contract: contractInput() });
  const [order] = await storeOrders(sql, { organizationId: organization, tenantId: tenantA }, [input]);
  return order!;
}

/** Records an early end and a version for the contract of an order, as the platform does. Returns the identifier of the version. */
export async function storeContractChanges(
  sql: Sql,
  organizationId: string,
  orderId: string,
): Promise<string> {
  const [row] = await sql<{ doc: string }[]>`
    SELECT doc FROM employee_order WHERE organization_id = ${organizationId} AND id = ${orderId}`;
  const order = JSON.parse(row!.doc) as Order;
  const { startDate } = order.contract!;
  const author = { by: operator.actor, at: new Date() };
  const ended = recordEnd(
    { order, record: null, productBenefits: null },
    { lastDay: startDate!, reason: 'other' },
    author,
  )!;
  const version = { id: newId(), from: startDate!.slice(0, 7), leasingRate: '90.00' };
  const { contract, record } = recordVersion(
    { order: { ...order, contract: ended.contract }, record: ended.record, productBenefits: null },
    version,
    author,
  )!;
  await runAtClock(sql, organizationId, operator, write => {
    const changed = { ...order, contract, updatedAt: write.instant };
    updateOrder(write, { order: changed, action: 'order.change_contract', fields: ['contract'], record });
  });
  return version.id;
}

/** The same as {@link countersOf}, of orders. */
export function orderCounters(sql: Sql, organizationId: string): ReturnType<typeof countersOf> {
  return countersOf(sql, organizationId, 'order');
}

/** Makes orders as old as if they had been stored so many minutes ago, also in their documents. */
export async function backdateOrders(sql: Sql, ids: readonly string[], minutes: number): Promise<void> {
  for (const id of ids) {
    const [order] = await sql<{ at: Date; doc: string }[]>`
      SELECT created_at AS at, doc FROM employee_order WHERE id = ${id}`;
    const at = new Date(order!.at.getTime() - minutes * 60_000);
    const doc = order!.doc.replaceAll(order!.at.toISOString(), at.toISOString());
    await sql`UPDATE employee_order SET created_at = ${at}, updated_at = ${at}, doc = ${doc} WHERE id = ${id}`;
  }
}
