import type { PayrollRun } from '@kontor/contract';
import { isDeepStrictEqual } from 'node:util';
import { columnsOf, insertRows } from '../../db/insert-rows.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Month } from '../../lib/calendar.ts';
import type { Entry } from './computation/assess.ts';
import type { OrderFacts, Released } from './computation/facts.ts';
import type { ClientSettings } from './formats/format.ts';
import type { Basis, Kind } from './computation/owed.ts';
import type { BookedSum } from './computation/reversal.ts';

/*
 * The ledger: `payroll_entry` has what was released or settled, and `payroll_basis` what the amounts were computed from. Their rows are never
 * changed or removed.
 */

export interface RunKey {
  readonly organizationId: string;
  readonly id: string;
}

/** An entry with its order. */
export interface OrderEntry extends Entry {
  readonly orderId: string;
  readonly employeeId: string;
}

interface ReleasedRow {
  readonly order_id: string;
  readonly month: Month;
  readonly kind: Kind;
  readonly exported: string;
  readonly paid_elsewhere: string;
  readonly not_owed: string;
  readonly wage_type: string | null;
  readonly personnel_number: string | null;
  readonly processing_key: string | null;
  readonly sign: 1 | -1 | null;
  readonly cost_center: string | null;
}

/** Sums the ledger by order, month and kind. Entries of all tenants count, so nothing is exported twice because an employee moved. */
export async function readReleased(
  db: Queryable,
  organizationId: string,
  orderIds: readonly string[],
): Promise<Map<string, Released[]>> {
  const rows = await db.rows<ReleasedRow>(sql`
    SELECT DISTINCT ON (order_id, month, kind) order_id, month, kind,
      coalesce(sum(cents) FILTER (WHERE source = 'run') OVER sums, 0)::text AS exported,
      coalesce(sum(cents) FILTER (WHERE source = 'settled' AND meaning IS DISTINCT FROM 'not_owed') OVER sums, 0)::text
        AS paid_elsewhere,
      coalesce(sum(cents) FILTER (WHERE meaning = 'not_owed') OVER sums, 0)::text AS not_owed,
      wage_type, processing_key, sign, cost_center, personnel_number
    FROM payroll_entry WHERE organization_id = ${organizationId} AND order_id = ANY(${[...orderIds]}::text[])
    WINDOW sums AS (PARTITION BY order_id, month, kind)
    ORDER BY order_id, month, kind, source = 'run' DESC, created_at DESC, run_id DESC, part`);
  return grouped(rows, ({ month, kind, wage_type: wageType, ...row }) => ({
    month,
    kind,
    exported: BigInt(row.exported),
    paidElsewhere: BigInt(row.paid_elsewhere),
    notOwed: BigInt(row.not_owed),
    booking:
      wageType === null
        ? null
        : { wageType, processingKey: row.processing_key, sign: row.sign!, costCenter: row.cost_center },
    personnelNumber: row.personnel_number,
  }));
}

function grouped<Row extends { readonly order_id: string }, Item>(
  rows: readonly Row[],
  itemOf: (row: Row) => Item,
): Map<string, Item[]> {
  const groups = Map.groupBy(rows, row => row.order_id);
  return new Map(Array.from(groups, ([orderId, group]) => [orderId, group.map(itemOf)]));
}

export interface StoredBasis {
  readonly version: number;
  readonly basis: Basis;
}

/** The basis of each order in the last run that was released. */
export async function readBases(
  db: Queryable,
  organizationId: string,
  orderIds: readonly string[],
): Promise<Map<string, StoredBasis>> {
  const rows = await db.rows<StoredBasis & { order_id: string }>(sql`
    SELECT DISTINCT ON (order_id) order_id, version, basis FROM payroll_basis
    WHERE organization_id = ${organizationId} AND order_id = ANY(${[...orderIds]}::text[])
    ORDER BY order_id, version DESC`);
  return new Map(rows.map(({ order_id, ...basis }) => [order_id, basis]));
}

/** The columns that a draft and the ledger have in common. */
export function entryColumns(run: RunKey, entries: readonly OrderEntry[]) {
  const column = columnsOf(entries);
  return [
    { name: 'organization_id', type: 'text', value: run.organizationId },
    { name: 'run_id', type: 'text', value: run.id },
    column('order_id', ({ orderId }) => orderId),
    column('month', ({ month }) => month),
    column('kind', ({ kind }) => kind),
    column('employee_id', ({ employeeId }) => employeeId),
    column('cents', ({ cents }) => cents.toString(), 'bigint'),
    column('contract_number', ({ contractNumber }) => contractNumber),
    column('personnel_number', ({ personnelNumber }) => personnelNumber),
    column('wage_type', ({ wageType }) => wageType),
    column('processing_key', ({ processingKey }) => processingKey),
    column('sign', ({ sign }) => sign, 'smallint'),
    column('cost_center', ({ costCenter }) => costCenter),
    column('part', ({ part }) => part, 'smallint'),
    column('reverses', ({ reverses }) => reverses),
  ];
}

export type EntryRow = Omit<OrderEntry, 'cents'> & { readonly cents: string };

/** Fields of an entry, named as in {@link OrderEntry}. */
export const entryFields = sql`order_id AS "orderId", employee_id AS "employeeId", month, kind, cents::text AS cents, sign,
  contract_number AS "contractNumber", personnel_number AS "personnelNumber", wage_type AS "wageType",
  processing_key AS "processingKey", cost_center AS "costCenter", part, reverses`;

export function entryOf(row: EntryRow): OrderEntry {
  return { ...row, cents: BigInt(row.cents) };
}

/** An order of a release: its entries, which may be none, and what they follow from. */
export interface ReleasedOrder extends Pick<OrderFacts, 'orderId' | 'latestBasis' | 'latestVersion'> {
  readonly basis: Basis;
  readonly entries: readonly OrderEntry[];
}

/** Inserts the entries of a release. A basis that is not the latest one of its order becomes a new version. */
export async function insertEntries(
  db: Queryable,
  run: RunKey & { readonly tenantId: string },
  orders: readonly ReleasedOrder[],
): Promise<void> {
  const versioned = orders.map(order => {
    const isNew = !isDeepStrictEqual(order.latestBasis, order.basis);
    return { ...order, isNew, version: order.latestVersion + (isNew ? 1 : 0) };
  });
  await insertBases(
    db,
    run,
    versioned.filter(({ isNew }) => isNew),
  );
  const entries = versioned.flatMap(({ entries, version }) => entries.map(entry => ({ ...entry, version })));
  if (entries.length === 0) return;
  const columns = [
    ...entryColumns(run, entries),
    { name: 'source', type: 'text', value: 'run' },
    { name: 'tenant_id', type: 'text', value: run.tenantId },
    columnsOf(entries)('basis_version', ({ version }) => version, 'int'),
    { name: 'created_at', type: 'timestamptz', value: new Date() },
  ];
  await db.run(insertRows('payroll_entry', columns));
}

async function insertBases(
  db: Queryable,
  run: RunKey,
  bases: readonly { orderId: string; version: number; basis: Basis }[],
): Promise<void> {
  if (bases.length === 0) return;
  const column = columnsOf(bases);
  const columns = [
    { name: 'organization_id', type: 'text', value: run.organizationId },
    { name: 'run_id', type: 'text', value: run.id },
    column('order_id', ({ orderId }) => orderId),
    column('version', ({ version }) => version, 'int'),
    column('basis', ({ basis }) => JSON.stringify(basis), 'jsonb'),
  ];
  await db.run(insertRows('payroll_basis', columns));
}

/** Entries of a run that are read at once. */
const pageSize = 2000;

/** Entries of a run. Null selects all. */
export interface EntrySelection {
  readonly month: Month | null;
  /** Those that have the head of one of these runs in their file. */
  readonly heads: readonly string[] | null;
}

/** The released entries of a run by month and personnel number, in pages. */
export async function* readEntries(
  db: Queryable,
  run: RunKey,
  selection: EntrySelection,
): AsyncGenerator<OrderEntry[]> {
  let after: OrderEntry | null = null;
  for (;;) {
    const page: OrderEntry[] = await readEntryPage(db, run, { ...selection, after });
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    after = page.at(-1)!;
  }
}

async function readEntryPage(
  db: Queryable,
  { organizationId, id }: RunKey,
  { month, heads, after }: EntrySelection & { after: OrderEntry | null },
): Promise<OrderEntry[]> {
  const ofMonth = month === null ? sql`` : sql`AND month = ${month}`;
  const ofHeads = heads === null ? sql`` : sql`AND coalesce(reverses, run_id) = ANY(${[...heads]}::text[])`;
  const behind = after
    ? sql`AND (month, personnel_number, order_id, kind, part) >
        (${after.month}, ${after.personnelNumber}, ${after.orderId}, ${after.kind}, ${after.part})`
    : sql``;
  const rows = await db.rows<EntryRow>(sql`
    SELECT ${entryFields} FROM payroll_entry WHERE organization_id = ${organizationId} AND run_id = ${id}
      ${ofMonth} ${ofHeads} ${behind}
    ORDER BY month, personnel_number, order_id, kind, part LIMIT ${pageSize}`);
  return rows.map(entryOf);
}

/** Entries of a run that can share a file. */
export interface EntryGroup {
  readonly month: Month;
  /** The run that the head of the file is of. */
  readonly headOf: string;
  /** Null for a run of an earlier version, and for one that is being released. */
  readonly head: ClientSettings | null;
  readonly count: number;
}

export function countEntries(db: Queryable, { organizationId, id }: RunKey): Promise<EntryGroup[]> {
  return db.rows<EntryGroup>(sql`
    SELECT e.month, r.id AS "headOf", r.head, count(*)::int AS count
    FROM payroll_entry e
    JOIN payroll_run r ON r.organization_id = ${organizationId} AND r.id = coalesce(e.reverses, e.run_id)
    WHERE e.organization_id = ${organizationId} AND e.run_id = ${id} GROUP BY e.month, r.id, r.head ORDER BY e.month, r.id`);
}

export type Reversed = NonNullable<PayrollRun['reverses']>;

/** Which released amounts a reversal is about. */
export interface BookedSelection {
  readonly tenantId: string;
  readonly orderIds: readonly string[];
  readonly reverses: Reversed;
}

/** The sums of exported amounts by how they were booked, by order; those that are zero are left out. The latest booking is the last. */
export async function readBooked(
  db: Queryable,
  organizationId: string,
  { tenantId, orderIds, reverses: { runId, firstMonth, lastMonth } }: BookedSelection,
): Promise<Map<string, BookedSum[]>> {
  const selected =
    runId === null
      ? sql`e.month >= coalesce(${firstMonth}::text, '') AND e.month <= coalesce(${lastMonth}::text, e.month)`
      : sql`(e.order_id, e.month, e.kind) IN (SELECT order_id, month, kind FROM payroll_entry
          WHERE organization_id = ${organizationId} AND run_id = ${runId})`;
  const rows = await db.rows<Omit<BookedSum, 'cents'> & { order_id: string; cents: string }>(sql`
    SELECT e.order_id, e.month, e.kind, e.personnel_number AS "personnelNumber", e.wage_type AS "wageType",
      e.processing_key AS "processingKey", e.sign, e.cost_center AS "costCenter", r.head, max(r.id) AS "runId",
      max(e.contract_number) AS "contractNumber", sum(e.cents)::text AS cents
    FROM payroll_entry e
    JOIN payroll_run r ON r.organization_id = ${organizationId} AND r.id = coalesce(e.reverses, e.run_id)
    WHERE e.organization_id = ${organizationId} AND e.tenant_id = ${tenantId} AND e.source = 'run'
      AND e.order_id = ANY(${[...orderIds]}::text[]) AND ${selected}
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, r.head HAVING sum(e.cents) <> 0
    ORDER BY e.order_id, e.month, e.kind, max(e.created_at), max(r.id)`);
  return grouped(rows, ({ order_id: _orderId, cents, ...sum }) => ({ ...sum, cents: BigInt(cents) }));
}
