import { ApiError } from '@kontor/contract';
import type { Pool } from '../db/connect.ts';
import type { Queryable } from '../db/session.ts';
import { assignments, type Fragment, raw, sql } from '../db/sql.ts';
import { employeeColumns, employeeRow, stampedDocument } from '../features/employees/mapping.ts';
import { incidentRow } from '../features/incidents/mapping.ts';
import { orderResource } from '../features/orders/mapping.ts';
import type { FileStore } from '../files/file-store.ts';
import { type Author, type Turn, type SingleWrite, Writes } from '../write/writes.ts';
import { erasedEmployee, erasedIncident, erasedOrder } from './erased.ts';
import { type Hold, holdsOf, possibleFrom, type Retention } from './retention.ts';
import { type Person, readPerson, readRetention } from './store.ts';

/** An employee with its organization. */
export interface EmployeeKey {
  readonly organizationId: string;
  readonly employeeId: string;
}

/** Whether the data of a person can be erased on a day, and the numbers of what it erases. */
export interface Erasability {
  readonly holds: readonly Hold[];
  /** The first day on which it can be done, see `possibleFrom`. */
  readonly from: string | null;
  /** The last erasure. */
  readonly erasedAt: Date | null;
  readonly orders: number;
  readonly incidents: number;
  readonly files: number;
}

/** The numbers of what was erased, and when. Data that were erased before do not count. */
export type Erased = Pick<Erasability, 'orders' | 'incidents' | 'files'> & { readonly erasedAt: Date };

interface Found {
  readonly person: Person;
  readonly retention: Retention;
}

/**
 * Returns whether the data of a person can be erased, without doing it.
 * @throws ApiError NOT_FOUND
 */
export async function erasabilityOf(db: Queryable, key: EmployeeKey, today: string): Promise<Erasability> {
  return assess(await read(db, key), today);
}

/**
 * The write that erases the data of a person (GDPR Art. 17; docs/personal-data.md). Fields, search columns, texts and files are erased
 * together; references and sums stay. `updatedAt` changes, so that clients that poll erase the data too.
 * It throws ApiError NOT_FOUND, and INVALID_STATE_TRANSITION with the reasons to keep the data and their end.
 */
export function createErasure(store: FileStore, key: EmployeeKey): SingleWrite<Found, Erased> {
  const { organizationId, employeeId } = key;
  return {
    targets: [employeeId],
    read: session => read(session, key),
    change(turn, found) {
      const { person } = found;
      const { holds, from, ...counts } = assess(found, turn.instant.slice(0, 10));
      if (holds.length > 0) throw refusal(employeeId, holds, from);
      const erasedAt = eraseEmployee(turn, person);
      eraseOrders(turn, person);
      eraseIncidents(turn, person);
      const files = filesOf(person).map(id => ({ organizationId, id }));
      for (const removal of store.removing(files)) turn.send(removal);
      return { ...counts, erasedAt };
    },
  };
}

/**
 * Erases the data of a person as a command does, see {@link createErasure}.
 * @throws ApiError NOT_FOUND, INVALID_STATE_TRANSITION with the reasons to keep them, SERVICE_UNAVAILABLE
 */
export function erasePerson(
  { db, store }: { db: Pool; store: FileStore },
  key: EmployeeKey,
  author: Author,
): Promise<Erased> {
  const request = { organizationId: key.organizationId, author, authority: null, dryRunAt: null };
  return new Writes({ reads: db, writes: db }).runOrdered(request, createErasure(store, key));
}

/** @throws ApiError NOT_FOUND */
async function read(db: Queryable, { organizationId, employeeId }: EmployeeKey): Promise<Found> {
  const person = await readPerson(db, organizationId, employeeId);
  if (!person) throw new ApiError('NOT_FOUND', `There is no employee ${employeeId}`);
  return { person, retention: await readRetention(db, organizationId, person.employee.tenant) };
}

function assess({ person, retention }: Found, today: string): Erasability {
  const holds = holdsOf(notErased(person), retention, today);
  return {
    holds,
    from: possibleFrom(holds, today),
    erasedAt: person.erasedAt,
    orders: person.orders.length,
    incidents: person.incidents.length,
    files: filesOf(person).length,
  };
}

/** Leaves out orders and incidents that were erased before: they are no reason to keep anything. */
function notErased({ erasedAt, orders, incidents }: Person): Pick<Person, 'orders' | 'incidents'> {
  const isLeft = ({ updatedAt }: { updatedAt: string }) =>
    erasedAt === null || updatedAt > erasedAt.toISOString();
  return { orders: orders.filter(isLeft), incidents: incidents.filter(isLeft) };
}

function filesOf({ orders, incidents }: Person): string[] {
  return [...orders, ...incidents].flatMap(({ attachments }) => attachments.map(({ id }) => id));
}

function refusal(id: string, holds: readonly Hold[], from: string | null): ApiError {
  const reasons = holds.map(({ reason }) => reason).join('; ');
  const when = from === null ? 'nobody can say yet from when it can be' : `it can be from ${from}`;
  return new ApiError('INVALID_STATE_TRANSITION', `Employee ${id} cannot be erased now, ${when}: ${reasons}`);
}

const columns = Object.keys(employeeColumns).filter(name => name !== 'id');

/** Erases an employee, unless nothing is left to erase, and returns when that was done. */
function eraseEmployee(turn: Turn, { employee: before, erasedAt }: Person): Date {
  const employee = erasedEmployee(before);
  const fields = changedFields(before, employee);
  if (fields.length === 0 && erasedAt !== null) return erasedAt;
  const { head, ...row } = employeeRow(employee.id, employee);
  const values = Object.fromEntries(columns.map(name => [name, (row as Record<string, unknown>)[name]]));
  const doc = stampedDocument(head, employee.createdAt, turn.instant);
  turn.send(sql`
    UPDATE employee SET ${assignments({ ...values, doc, updated_at: turn.at, erased_at: turn.at })}
    WHERE ${rowOf(turn, employee.id)}`);
  turn.audit({ id: employee.id, action: 'employee.erase', fields });
  return turn.at;
}

function eraseOrders(turn: Turn, { orders }: Person): void {
  for (const before of orders) {
    const order = { ...erasedOrder(before), updatedAt: turn.instant };
    const fields = changedFields(before, order);
    if (fields.length === 0) continue;
    store(turn, 'employee_order', order.id, {
      ...orderResource.row(order),
      // The content of the intake could be guessed from it.
      intake_digest: null,
      doc: orderResource.document(order),
    });
    turn.audit({ id: order.id, action: 'order.erase', fields });
  }
}

function eraseIncidents(turn: Turn, { incidents }: Person): void {
  for (const before of incidents) {
    const incident = { ...erasedIncident(before), updatedAt: turn.instant };
    const fields = changedFields(before, incident);
    if (fields.length === 0) continue;
    store(turn, 'incident', incident.id, incidentRow(incident));
    turn.audit({ id: incident.id, action: 'incident.erase', fields });
  }
}

function store(turn: Turn, table: string, id: string, row: Readonly<Record<string, unknown>>): void {
  turn.send(sql`
    UPDATE ${raw(table)} SET ${assignments({ ...row, attachment_sha256: '{}' })} WHERE ${rowOf(turn, id)}`);
}

function rowOf({ organizationId }: Turn, id: string): Fragment {
  return sql`organization_id = ${organizationId} AND id = ${id}`;
}

function changedFields<Document extends object>(before: Document, after: Document): string[] {
  const names = Object.keys(before) as (keyof Document & string)[];
  return names.filter(
    name => name !== 'updatedAt' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}
