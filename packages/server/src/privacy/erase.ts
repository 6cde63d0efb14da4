import { ApiError } from '@kontor/contract';
import type { Pool } from '../db/connect.ts';
import type { Queryable } from '../db/session.ts';
import { assignments, type Fragment, raw, sql } from '../db/sql.ts';
import { employeeColumns, employeeRow, stampedDocument } from '../features/employees/mapping.ts';
import { incidentRow } from '../features/incidents/mapping.ts';
import { orderResource } from '../features/orders/mapping.ts';
import type { FileStore } from '../files/file-store.ts';
import { type Author, type Turn, type Write, Writes } from '../write/writes.ts';
import { erasedEmployee, erasedIncident, erasedOrder } from './erased.ts';
import { type Hold, holdsOf, possibleFrom, type Retention } from './retention.ts';
import { type Person, readPerson, readRetention } from './store.ts';

/** Whose data are to be erased. */
export interface Whose {
  readonly organizationId: string;
  readonly employeeId: string;
}

/** Whether the data of a person can be erased on a day, and what erasing takes away. */
export interface Erasability {
  readonly holds: readonly Hold[];
  /** The first day on which it can be done: `today` when that is it, null while nobody can tell. */
  readonly from: string | null;
  /** When it was done last. */
  readonly erasedAt: Date | null;
  readonly orders: number;
  readonly incidents: number;
  readonly files: number;
}

/** What was erased, and when; of what was erased already nothing is left to be. */
export type Erased = Pick<Erasability, 'orders' | 'incidents' | 'files'> & { readonly erasedAt: Date };

/** What an erasure depends on. */
interface Found {
  readonly person: Person;
  readonly retention: Retention;
}

/**
 * Looks whether the data of a person can be erased, without doing it.
 * @throws ApiError NOT_FOUND
 */
export async function erasabilityOf(db: Queryable, whose: Whose, today: string): Promise<Erasability> {
  return judged(await read(db, whose), today);
}

/**
 * The write that erases the data of a person (GDPR Art. 17; docs/personal-data.md): fields, columns for searching, texts and files go
 * in one turn, references and sums stay, and `updatedAt` moves, so that whoever polls erases too.
 * It throws ApiError NOT_FOUND, and INVALID_STATE_TRANSITION as long as something keeps them; its message says until when.
 */
export function erasing(store: FileStore, whose: Whose): Write<Found, Erased> {
  const { organizationId, employeeId } = whose;
  return {
    targets: [employeeId],
    read: session => read(session, whose),
    change(turn, found) {
      const { person } = found;
      const { holds, from, ...counts } = judged(found, turn.instant.slice(0, 10));
      if (holds.length > 0) throw refusal(employeeId, holds, from);
      const erasedAt = eraseEmployee(turn, person);
      eraseOrders(turn, person);
      eraseIncidents(turn, person);
      const files = filesOf(person).map(id => ({ organizationId, id }));
      for (const removal of store.removing(files)) turn.write(removal);
      return { ...counts, erasedAt };
    },
  };
}

/**
 * Erases the data of a person as a command does, see {@link erasing}.
 * @throws ApiError NOT_FOUND, INVALID_STATE_TRANSITION as long as something keeps them, SERVICE_UNAVAILABLE
 */
export function erasePerson(
  { db, store }: { db: Pool; store: FileStore },
  whose: Whose,
  author: Author,
): Promise<Erased> {
  const request = { organizationId: whose.organizationId, author, authority: null, dryRunAt: null };
  return new Writes({ reads: db, writes: db }).run(request, erasing(store, whose));
}

/** @throws ApiError NOT_FOUND */
async function read(db: Queryable, { organizationId, employeeId }: Whose): Promise<Found> {
  const person = await readPerson(db, organizationId, employeeId);
  if (!person) throw new ApiError('NOT_FOUND', `There is no employee ${employeeId}`);
  return { person, retention: await readRetention(db, organizationId, person.employee.tenant) };
}

function judged({ person, retention }: Found, today: string): Erasability {
  const holds = holdsOf(leftOf(person), retention, today);
  return {
    holds,
    from: possibleFrom(holds, today),
    erasedAt: person.erasedAt,
    orders: person.orders.length,
    incidents: person.incidents.length,
    files: filesOf(person).length,
  };
}

/** What was not erased already: what was is no reason to keep anything. */
function leftOf({ erasedAt, orders, incidents }: Person): Pick<Person, 'orders' | 'incidents'> {
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

/** Returns when the employee was erased: now, unless nothing is left to erase; that stays as it is, `updatedAt` included. */
function eraseEmployee(turn: Turn, { employee: before, erasedAt }: Person): Date {
  const employee = erasedEmployee(before);
  const fields = changedFields(before, employee);
  if (fields.length === 0 && erasedAt !== null) return erasedAt;
  const { head, ...row } = employeeRow(employee.id, employee);
  const values = Object.fromEntries(columns.map(name => [name, (row as Record<string, unknown>)[name]]));
  const doc = stampedDocument(head, employee.createdAt, turn.instant);
  turn.write(sql`
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
      // What an intake said could be guessed by it.
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
  turn.write(sql`
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
