import { ApiError } from '@kontor/contract';
import type { Pool } from '../db/connect.ts';
import type { Queryable } from '../db/session.ts';
import { assignments, type Fragment, raw, sql } from '../db/sql.ts';
import { employeeColumns, employeeRow, stampedDocument } from '../features/employees/mapping.ts';
import { eraseFromImports, isInImports } from '../features/employees/portal-import/data-subject.ts';
import { incidentRow } from '../features/incidents/mapping.ts';
import { orderResource } from '../features/orders/mapping.ts';
import type { FileStore } from '../files/file-store.ts';
import { type Author, callOf, decision, type WriteAtClock, type WriteCall, Writes } from '../write/writes.ts';
import { erasedEmployee, erasedIncident, erasedOrder } from './erased.ts';
import { type Hold, holdsOf, payrollKeptUntil, possibleFrom, type Retention } from './retention.ts';
import { type DataSubject, readDataSubject, readRetention } from './store.ts';

export interface EmployeeKey {
  readonly organizationId: string;
  readonly employeeId: string;
}

export interface Erasability {
  readonly holds: readonly Hold[];
  /** The first day on which it can be erased, see {@link possibleFrom}. */
  readonly from: string | null;
  readonly erasedAt: Date | null;
  readonly orders: number;
  readonly incidents: number;
  readonly files: number;
  /** Amounts of the payroll, which stay, and the day on which their retention ends. */
  readonly payrollEntries: number;
  readonly payrollKeptUntil: string | null;
}

/** How much was erased, and when. Data of earlier erasures do not count. */
export type Erased = Omit<Erasability, 'holds' | 'from' | 'erasedAt'> & {
  readonly erasedAt: Date;
};

interface Found {
  readonly dataSubject: DataSubject;
  readonly retention: Retention;
}

/** The other facts of an erasure. One that has nothing to erase takes no clock. */
interface FoundToErase extends Found {
  readonly isImported: boolean;
  /** Whether payroll keeps answers or proposals about them, or what was agreed about their leaves. */
  readonly hasAnswers: boolean;
  /** Whether requests of the last day about them are stored under idempotency keys. */
  readonly hasRequests: boolean;
}

/**
 * Returns whether an employee's data can be erased, without erasing them.
 * @throws ApiError NOT_FOUND
 */
export async function findErasability(db: Queryable, key: EmployeeKey, today: string): Promise<Erasability> {
  return assess(await read(db, key), today);
}

interface Erasing extends WriteCall {
  readonly employeeId: string;
  readonly store: FileStore;
}

/**
 * Erases the data of an employee (GDPR Art. 17; docs/personal-data.md). Fields, search columns, texts and files are erased in one transaction;
 * references and sums stay. `updatedAt` changes, so that polling clients erase the data, too.
 * It throws ApiError NOT_FOUND, and INVALID_STATE_TRANSITION with the reasons to keep the data and their end.
 */
export const erasure = decision({
  targets: ({ employeeId }: Erasing) => [employeeId],
  async read(db, { scope: { organizationId }, employeeId }): Promise<FoundToErase> {
    const found = await read(db, { organizationId, employeeId });
    const { dataSubject } = found;
    const [isImported, hasAnswers, requests] = await Promise.all([
      isInImports(db, organizationId, dataSubject.employee),
      hasPayrollAnswers(db, organizationId, employeeId),
      db.run(sql`SELECT FROM idempotency_key WHERE ${requestsOf(organizationId, dataSubject)}`),
    ]);
    return { ...found, isImported, hasAnswers, hasRequests: requests > 0 };
  },
  plan({ employeeId }, found, at) {
    const { holds, from, ...counts } = assess(found, at.toISOString().slice(0, 10));
    if (holds.length > 0) throw rejection(employeeId, holds, from);
    return { ...found, counts };
  },
  store(write, { dataSubject, isImported, hasAnswers, hasRequests, counts }, { store }): Erased {
    const erasedAt = eraseEmployee(write, dataSubject);
    eraseHistory(write, dataSubject);
    if (isImported) eraseFromImports(write, dataSubject.employee);
    eraseOrders(write, dataSubject);
    eraseIncidents(write, dataSubject);
    if (hasAnswers) erasePayrollAnswers(write, dataSubject);
    const { organizationId } = write;
    const files = filesOf(dataSubject).map(id => ({ organizationId, id }));
    for (const removal of store.removing(files)) write.send(removal);
    if (hasRequests)
      write.send(sql`DELETE FROM idempotency_key WHERE ${requestsOf(organizationId, dataSubject)}`);
    return { ...counts, erasedAt };
  },
});

/**
 * Erases an employee's data for a CLI command, see {@link erasure}.
 * @throws ApiError NOT_FOUND, INVALID_STATE_TRANSITION with the reasons to keep the data, SERVICE_UNAVAILABLE
 */
export function eraseDataSubject(
  { db, store }: { db: Pool; store: FileStore },
  { organizationId, employeeId }: EmployeeKey,
  author: Author,
): Promise<Erased> {
  return new Writes(db).decide({ ...callOf(organizationId, author), employeeId, store }, erasure);
}

/** @throws ApiError NOT_FOUND */
async function read(db: Queryable, { organizationId, employeeId }: EmployeeKey): Promise<Found> {
  const dataSubject = await readDataSubject(db, organizationId, employeeId);
  if (!dataSubject) throw new ApiError('NOT_FOUND', `There is no employee ${employeeId}`);
  return { dataSubject, retention: await readRetention(db, organizationId, dataSubject.employee.tenant) };
}

function assess({ dataSubject, retention }: Found, today: string): Erasability {
  const holds = holdsOf(notErased(dataSubject), retention, today);
  return {
    holds,
    from: possibleFrom(holds, today),
    erasedAt: dataSubject.erasedAt,
    orders: dataSubject.orders.length,
    incidents: dataSubject.incidents.length,
    files: filesOf(dataSubject).length,
    payrollEntries: dataSubject.payroll.entries,
    payrollKeptUntil: payrollKeptUntil(dataSubject.payroll, retention),
  };
}

/** Leaves out what is already erased: it holds nothing. */
function notErased({
  erasedAt,
  orders,
  incidents,
  payroll,
}: DataSubject): Pick<DataSubject, 'orders' | 'incidents' | 'payroll'> {
  const isLeft = ({ updatedAt }: { updatedAt: string }) =>
    erasedAt === null || updatedAt > erasedAt.toISOString();
  return {
    orders: orders.filter(isLeft),
    incidents: incidents.filter(isLeft),
    // Payroll leaves out the orders of an erased employee, so no entry follows an erasure.
    payroll: erasedAt === null ? payroll : { entries: payroll.entries, lastMonth: null },
  };
}

function filesOf({ orders, incidents }: DataSubject): string[] {
  return [...orders, ...incidents].flatMap(({ attachments }) => attachments.map(({ id }) => id));
}

function rejection(id: string, holds: readonly Hold[], from: string | null): ApiError {
  const reasons = holds.map(({ reason }) => reason).join('; ');
  const when = from === null ? 'the first possible day is not known yet' : `it can be from ${from}`;
  return new ApiError('INVALID_STATE_TRANSITION', `Employee ${id} cannot be erased now, ${when}: ${reasons}`);
}

const columns = Object.keys(employeeColumns).filter(name => name !== 'id');

/** Erases an employee unless nothing is left to erase, and returns the instant of the erasure. */
function eraseEmployee(write: WriteAtClock, { employee: before, erasedAt }: DataSubject): Date {
  const employee = erasedEmployee(before);
  const fields = changedFields(before, employee);
  if (fields.length === 0 && erasedAt !== null) return erasedAt;
  const { head, ...row } = employeeRow(employee.id, employee);
  const values = Object.fromEntries(columns.map(name => [name, (row as Record<string, unknown>)[name]]));
  const doc = stampedDocument(head, employee.createdAt, write.instant);
  write.send(sql`
    UPDATE employee SET ${assignments({ ...values, doc, updated_at: write.at, erased_at: write.at })}
    WHERE ${rowOf(write, employee.id)}`);
  write.audit({ id: employee.id, action: 'employee.erase', fields });
  return write.at;
}

function eraseHistory(write: WriteAtClock, { employee, changes }: DataSubject): void {
  if (changes === 0) return;
  write.send(sql`
    DELETE FROM employee_change WHERE organization_id = ${write.organizationId} AND employee_id = ${employee.id}`);
}

/** The content of a request could be guessed from its digest. */
function requestsOf(organizationId: string, dataSubject: DataSubject): Fragment {
  const { employee, orders, incidents } = dataSubject;
  const ids = [...[employee, ...orders, ...incidents].map(({ id }) => id), ...filesOf(dataSubject)];
  return sql`organization_id = ${organizationId} AND resource_id = ANY(${ids}::text[])`;
}

function eraseOrders(write: WriteAtClock, { orders, recorded }: DataSubject): void {
  for (const before of orders) {
    const order = { ...erasedOrder(before), updatedAt: write.instant };
    const fields = [...changedFields(before, order), ...(recorded.has(order.id) ? ['contractRecord'] : [])];
    if (fields.length === 0) continue;
    store(write, 'employee_order', order.id, {
      ...orderResource.row(order),
      // The content of the intake could be guessed from its digest.
      intake_digest: null,
      // Reasons and comments of its end, and the authors.
      contract_record: null,
      doc: orderResource.document(order),
    });
    write.audit({ id: order.id, action: 'order.erase', fields });
  }
}

function eraseIncidents(write: WriteAtClock, { incidents }: DataSubject): void {
  for (const before of incidents) {
    const incident = { ...erasedIncident(before), updatedAt: write.instant };
    const fields = changedFields(before, incident);
    if (fields.length === 0) continue;
    store(write, 'incident', incident.id, incidentRow(incident));
    write.audit({ id: incident.id, action: 'incident.erase', fields });
  }
}

/** The incidents of an employee about whose leave something was agreed. */
function agreedLeaves(organizationId: string, employeeId: string): Fragment {
  return sql`
    organization_id = ${organizationId} AND employee_id = ${employeeId}
      AND (bike_returned IS NOT NULL OR leave_payer IS NOT NULL OR leave_comment IS NOT NULL)`;
}

/** The answers to questions of payroll about an employee, and the proposed settlements. */
function payrollAnswers(organizationId: string, employeeId: string): Fragment {
  return sql`organization_id = ${organizationId} AND employee_id = ${employeeId}`;
}

async function hasPayrollAnswers(
  db: Queryable,
  organizationId: string,
  employeeId: string,
): Promise<boolean> {
  const found = await db.run(sql`
    SELECT FROM incident WHERE ${agreedLeaves(organizationId, employeeId)}
    UNION ALL
    SELECT FROM payroll_acknowledgement WHERE ${payrollAnswers(organizationId, employeeId)}
    UNION ALL
    SELECT FROM payroll_proposal WHERE ${payrollAnswers(organizationId, employeeId)} LIMIT 1`);
  return found > 0;
}

/** Erases what was agreed about leaves, answers to questions of payroll, and proposed settlements. */
function erasePayrollAnswers(write: WriteAtClock, { employee: { id } }: DataSubject): void {
  const { organizationId } = write;
  write.send(sql`
    UPDATE incident SET bike_returned = NULL, leave_payer = NULL, leave_comment = NULL
    WHERE ${agreedLeaves(organizationId, id)}`);
  write.send(sql`DELETE FROM payroll_acknowledgement WHERE ${payrollAnswers(organizationId, id)}`);
  write.send(sql`DELETE FROM payroll_proposal WHERE ${payrollAnswers(organizationId, id)}`);
}

function store(write: WriteAtClock, table: string, id: string, row: Readonly<Record<string, unknown>>): void {
  write.send(sql`
    UPDATE ${raw(table)} SET ${assignments({ ...row, attachment_sha256: '{}' })} WHERE ${rowOf(write, id)}`);
}

function rowOf({ organizationId }: WriteAtClock, id: string): Fragment {
  return sql`organization_id = ${organizationId} AND id = ${id}`;
}

function changedFields<Document extends object>(before: Document, after: Document): string[] {
  const names = Object.keys(before) as (keyof Document & string)[];
  return names.filter(
    name => name !== 'updatedAt' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}
