import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Order, orderStatuses } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { sql } from '../../db/sql.ts';
import { type AttachmentKind, attachToOrder } from '../../features/orders/attachments.ts';
import { importOrders } from '../../features/orders/import/import.ts';
import { databaseStore } from '../../files/database-store.ts';
import { firstOfMonth, instant, lastOfMonth } from './calendar.ts';
import { pdf } from './files.ts';
import type { DemoEmployee, DemoOrganization } from './organization.ts';

/** The fields of an order that incidents and payroll runs of the demo depend on. */
export interface DemoOrder {
  readonly id: string;
  readonly status: Order['status'];
  readonly employee: DemoEmployee;
}

/** Each company has three orders in each state: decided by a person, by another system, and by a rule. */
const deciders = ['user', 'api_key', 'automatic'] as const;

const bikes = [
  { manufacturerName: 'Nox Cycles', model: 'Helium 5.9', articleGroupName: 'E-Bike', price: 3599 },
  { manufacturerName: 'Isar Räder', model: 'Trekking Pro', articleGroupName: 'Fahrrad', price: 1899 },
  { manufacturerName: 'Velomotion', model: 'Cargo L', articleGroupName: 'Lastenrad', price: 5490 },
];

/** Imports orders in every state, as an operator does, and attaches their documents. */
export async function createOrders(
  db: Pool,
  { organizationId, tenants, employees }: DemoOrganization,
  dataDirectory: string,
): Promise<DemoOrder[]> {
  const orders: DemoOrder[] = [];
  for (const [company, { id: tenantId }] of tenants.entries()) {
    const user = newId();
    const staff = employees.filter(({ tenant, usable }) => tenant === tenantId && usable);
    const plans = orderStatuses.flatMap((status, state) =>
      deciders.map((source, n) => {
        const index = state * deciders.length + n;
        const number = `A-${1000 * (company + 1) + index}`;
        const decider = { source, decisionBy: source === 'user' ? user : null };
        const age = ages[status] + 2 * n + company;
        return { number, status, age, employee: staff[index]!, bike: bikes[index % bikes.length]!, decider };
      }),
    );
    await importPlans(db, { organizationId, tenantId }, plans, dataDirectory);
    orders.push(...(await withDocuments(db, organizationId, plans)));
  }
  return orders;
}

interface Plan {
  readonly number: string;
  readonly status: Order['status'];
  /** Days since it was submitted. */
  readonly age: number;
  readonly employee: DemoEmployee;
  readonly bike: (typeof bikes)[number];
  readonly decider: { readonly source: (typeof deciders)[number]; readonly decisionBy: string | null };
}

async function importPlans(
  db: Pool,
  target: { organizationId: string; tenantId: string },
  plans: readonly Plan[],
  dataDirectory: string,
): Promise<void> {
  const lines = plans.map(plan => `${JSON.stringify(lineOf(plan))}\n`);
  const { rejectedFile } = await importOrders(db, {
    target,
    file: join(dataDirectory, 'demo-orders.jsonl'),
    chunks: Readable.from([Buffer.from(lines.join(''))]),
    signal: new AbortController().signal,
  });
  if (rejectedFile !== null) throw new Error(`orders of the demo were rejected: see ${rejectedFile}`);
}

/** How long ago the latest order in each state was submitted, in days. */
const ages: Readonly<Record<Order['status'], number>> = {
  under_review: 3,
  approved: 10,
  rejected: 20,
  cancelled: 40,
  expired: 60,
  ready_for_pickup: 25,
  active: 150,
  completed: 1200,
};

function lineOf({ number, status, age, employee, bike, decider }: Plan): Record<string, unknown> {
  const decided = !['under_review', 'expired'].includes(status);
  const decision = status === 'rejected' ? 'rejected' : 'approved';
  const comment = decision === 'rejected' ? 'Budget für dieses Jahr ausgeschöpft' : null;
  return {
    orderNumber: number,
    employeeId: employee.id,
    status,
    products: productsOf(bike),
    contract: contractOf(number, status, bike.price),
    hrHistory: decided ? { ...decider, decision, comment, decidedAt: instant(2 - age) } : null,
    submittedAt: instant(-age),
  };
}

function productsOf({ price, ...bike }: Plan['bike']): Record<string, unknown>[] {
  const product = (gross: number, more: object) => ({
    vatRate: '19.00',
    grossAmount: gross.toFixed(2),
    netAmount: (gross / 1.19).toFixed(4),
    ...more,
  });
  const service = { service: 'Inspektion', grossService: '119.00', netService: '100.00' };
  const lock = { model: 'Faltschloss', manufacturerName: 'Tresorwerk', articleGroupName: 'Zubehör' };
  return [product(price, { ...bike, ...service }), product(79.9, lock)];
}

/** The contract of an order: its days are known once it is handed over. */
function contractOf(number: string, status: Order['status'], price: number): Record<string, unknown> {
  const begins = { active: -4, completed: -39 }[status as string];
  return {
    contractNumber: begins === undefined ? null : number.replace('A', 'LV'),
    startDate: begins === undefined ? null : firstOfMonth(begins),
    endDate: begins === undefined ? null : lastOfMonth(begins + 35),
    termMonths: 36,
    currency: 'EUR',
    listPrice: price.toFixed(2),
    purchasePrice: (price * 0.95).toFixed(2),
    residualValue: (price * 0.18).toFixed(2),
    leasingRate: (price * 0.0273).toFixed(2),
    leasingRateSubsidy: '15.00',
    insuranceRate: '9.90',
    insuranceRateSubsidy: '9.90',
    serviceRate: '5.00',
    serviceRateSubsidy: '0.00',
  };
}

const documentsOf: Readonly<Partial<Record<Order['status'], readonly AttachmentKind[]>>> = {
  under_review: ['offer'],
  approved: ['offer'],
  ready_for_pickup: ['offer', 'contract'],
  active: ['contract', 'invoice', 'handover'],
};

const titles = {
  offer: 'Angebot',
  contract: 'Leasingvertrag',
  invoice: 'Rechnung',
  handover: 'Übernahmeprotokoll',
  other: 'Anlage',
} as const satisfies Record<AttachmentKind, string>;

async function withDocuments(db: Pool, organizationId: string, plans: readonly Plan[]): Promise<DemoOrder[]> {
  const files = databaseStore(db);
  const stored = await storedOrders(db, organizationId, plans);
  for (const { id: orderId, status, orderNumber } of stored.values())
    for (const kind of documentsOf[status] ?? []) {
      const bytes = pdf([titles[kind], `Bestellung ${orderNumber}`, 'Erfunden für die Demo von Kontor']);
      const document = {
        kind,
        fileName: `${titles[kind]} ${orderNumber}.pdf`,
        mediaType: 'application/pdf',
        bytes,
      };
      await attachToOrder({ db, files }, { organizationId, orderId }, document);
    }
  return plans.map(({ number, status, employee }) => ({ id: stored.get(number)!.id, status, employee }));
}

/** The orders as they were stored, by their numbers. */
async function storedOrders(
  db: Pool,
  organizationId: string,
  plans: readonly Plan[],
): Promise<Map<string, Order>> {
  const rows = await db.rows<{ doc: string }>(sql`
    SELECT doc FROM employee_order
    WHERE organization_id = ${organizationId} AND order_number = ANY(${plans.map(({ number }) => number)}::text[])`);
  return new Map(rows.map(({ doc }) => JSON.parse(doc) as Order).map(order => [order.orderNumber, order]));
}
