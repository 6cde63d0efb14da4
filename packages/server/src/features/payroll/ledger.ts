import { isDeepStrictEqual } from 'node:util';
import { columnsOf, insertRows } from '../../db/insert-rows.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Month } from '../../lib/calendar.ts';
import type { Entry } from './assess.ts';
import type { OrderFacts, Released } from './facts.ts';
import type { Basis, Kind } from './owed.ts';

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
      wage_type, processing_key, sign, cost_center
    FROM payroll_entry WHERE organization_id = ${organizationId} AND order_id = ANY(${[...orderIds]}::text[])
    WINDOW sums AS (PARTITION BY order_id, month, kind)
    ORDER BY order_id, month, kind, source = 'run' DESC, created_at DESC, run_id DESC`);
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
  }));
}

function grouped<Row extends { readonly order_id: string }, Item>(
  rows: readonly Row[],
  itemOf: (row: Row) => Item,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const row of rows) {
    const group = groups.get(row.order_id);
    if (group) group.push(itemOf(row));
    else groups.set(row.order_id, [itemOf(row)]);
  }
  return groups;
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
  ];
}

export type EntryRow = Omit<OrderEntry, 'cents'> & { readonly cents: string };

/** Fields of an entry, named as in {@link OrderEntry}. */
export const entryFields = sql`order_id AS "orderId", employee_id AS "employeeId", month, kind, cents::text AS cents, sign,
  contract_number AS "contractNumber", personnel_number AS "personnelNumber", wage_type AS "wageType",
  processing_key AS "processingKey", cost_center AS "costCenter"`;

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
  await db.run(insertRows('payroll_entry', columns, entries.length));
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
  await db.run(insertRows('payroll_basis', columns, bases.length));
}

/** Entries of a run that are read at once. */
const pageSize = 2000;

/** The released entries of a run by month and personnel number, in pages. `month` selects those of one month. */
export async function* readEntries(
  db: Queryable,
  run: RunKey,
  month: Month | null,
): AsyncGenerator<OrderEntry[]> {
  let after: OrderEntry | null = null;
  for (;;) {
    const page: OrderEntry[] = await readEntryPage(db, run, { month, after });
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    after = page.at(-1)!;
  }
}

async function readEntryPage(
  db: Queryable,
  { organizationId, id }: RunKey,
  { month, after }: { month: Month | null; after: OrderEntry | null },
): Promise<OrderEntry[]> {
  const ofMonth = month === null ? sql`` : sql`AND month = ${month}`;
  const behind = after
    ? sql`AND (month, personnel_number, order_id, kind) >
        (${after.month}, ${after.personnelNumber}, ${after.orderId}, ${after.kind})`
    : sql``;
  const rows = await db.rows<EntryRow>(sql`
    SELECT ${entryFields} FROM payroll_entry WHERE organization_id = ${organizationId} AND run_id = ${id} ${ofMonth} ${behind}
    ORDER BY month, personnel_number, order_id, kind LIMIT ${pageSize}`);
  return rows.map(entryOf);
}

/** The months of the entries of a run, and how many entries each has. */
export async function countByMonth(
  db: Queryable,
  { organizationId, id }: RunKey,
): Promise<Map<Month, number>> {
  const rows = await db.rows<{ month: Month; count: number }>(sql`
    SELECT month, count(*)::int AS count FROM payroll_entry
    WHERE organization_id = ${organizationId} AND run_id = ${id} GROUP BY month ORDER BY month`);
  return new Map(rows.map(({ month, count }) => [month, count]));
}
