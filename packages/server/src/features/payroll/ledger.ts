import { isDeepStrictEqual } from 'node:util';
import type { PayrollDifference } from '@kontor/contract';
import { columnsOf, insertRows } from '../../db/insert-rows.ts';
import type { Queryable } from '../../db/session.ts';
import { sql } from '../../db/sql.ts';
import type { Month } from '../../lib/calendar.ts';
import { amount } from '../../lib/money.ts';
import type { Entry, Released } from './assess.ts';
import type { Basis, Kind } from './owed.ts';

/*
 * The ledger (`payroll_entry`) has what was released or settled. Its rows are never changed or removed. The entries of a draft stand in
 * `payroll_draft_entry` until its run is released or discarded.
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
  readonly cents: string;
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
      sum(cents) OVER (PARTITION BY order_id, month, kind)::text AS cents, wage_type, processing_key, sign, cost_center
    FROM payroll_entry WHERE organization_id = ${organizationId} AND order_id = ANY(${[...orderIds]}::text[])
    ORDER BY order_id, month, kind, source = 'run' DESC, created_at DESC, run_id DESC`);
  return grouped(rows, ({ month, kind, cents, wage_type: wageType, ...row }) => ({
    month,
    kind,
    cents: BigInt(cents),
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
function entryColumns(run: RunKey, entries: readonly OrderEntry[]) {
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

type EntryRow = Omit<OrderEntry, 'cents'> & { readonly cents: string };

/** Fields of an entry, named as in {@link OrderEntry}. */
const entryFields = sql`order_id AS "orderId", employee_id AS "employeeId", month, kind, cents::text AS cents, sign,
  contract_number AS "contractNumber", personnel_number AS "personnelNumber", wage_type AS "wageType",
  processing_key AS "processingKey", cost_center AS "costCenter"`;

function entryOf(row: EntryRow): OrderEntry {
  return { ...row, cents: BigInt(row.cents) };
}

export async function insertDraftEntries(
  db: Queryable,
  run: RunKey,
  entries: readonly OrderEntry[],
): Promise<void> {
  if (entries.length > 0)
    await db.run(insertRows('payroll_draft_entry', entryColumns(run, entries), entries.length));
}

/** An order of a release: its entries, which may be none, and what they follow from. */
export interface ReleasedOrder {
  readonly orderId: string;
  readonly basis: Basis;
  readonly latest: StoredBasis | null;
  readonly entries: readonly OrderEntry[];
}

/** Inserts the entries of a release. A basis that is not the latest one of its order becomes a new version. */
export async function insertEntries(
  db: Queryable,
  run: RunKey & { readonly tenantId: string },
  orders: readonly ReleasedOrder[],
): Promise<void> {
  const versioned = orders.map(order => {
    const { latest, basis } = order;
    const isNew = latest === null || !isDeepStrictEqual(latest.basis, basis);
    return { ...order, isNew, version: isNew ? (latest?.version ?? 0) + 1 : latest.version };
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

type EntryName = Pick<OrderEntry, 'orderId' | 'month' | 'kind'>;

const nameOf = ({ orderId, month, kind }: EntryName) => `${orderId} ${month} ${kind}`;

async function readDraft(
  db: Queryable,
  run: RunKey,
  orderIds: readonly string[],
): Promise<Map<string, OrderEntry>> {
  const rows = await db.rows<EntryRow>(sql`
    SELECT ${entryFields} FROM payroll_draft_entry
    WHERE organization_id = ${run.organizationId} AND run_id = ${run.id} AND order_id = ANY(${[...orderIds]}::text[])`);
  return new Map(rows.map(row => [nameOf(row), entryOf(row)]));
}

/** How entries that were computed again differ from the draft, for these orders. */
export async function compareWithDraft(
  db: Queryable,
  run: RunKey,
  orderIds: readonly string[],
  entries: readonly OrderEntry[],
): Promise<PayrollDifference[]> {
  const draft = await readDraft(db, run, orderIds);
  const differences: PayrollDifference[] = [];
  for (const entry of entries) {
    const { orderId, month, kind, cents } = entry;
    const before = draft.get(nameOf(entry));
    draft.delete(nameOf(entry));
    if (before && isDeepStrictEqual(before, entry)) continue;
    differences.push({
      orderId,
      month,
      kind,
      draft: before ? amount(before.cents) : null,
      now: amount(cents),
    });
  }
  for (const { orderId, month, kind, cents } of draft.values())
    differences.push({ orderId, month, kind, draft: amount(cents), now: null });
  return differences;
}

export async function countDraft(db: Queryable, run: RunKey): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM payroll_draft_entry
    WHERE organization_id = ${run.organizationId} AND run_id = ${run.id}`);
  return row!.count;
}

/** Draft entries of orders that a release did not meet, such as ones that left the division. */
export async function draftLeftovers(
  db: Queryable,
  run: RunKey,
  limit: number,
): Promise<PayrollDifference[]> {
  // Not NOT EXISTS: without statistics of the rows of this transaction, it became a nested loop over all of them.
  const rows = await db.rows<EntryName & { cents: string }>(sql`
    SELECT order_id AS "orderId", month, kind, cents::text AS cents FROM payroll_draft_entry
    WHERE organization_id = ${run.organizationId} AND run_id = ${run.id}
    EXCEPT SELECT order_id, month, kind, cents::text FROM payroll_entry
    WHERE organization_id = ${run.organizationId} AND run_id = ${run.id}
    ORDER BY 1, 2, 3 LIMIT ${limit}`);
  return rows.map(({ cents, ...row }) => ({ ...row, draft: amount(BigInt(cents)), now: null }));
}

export async function deleteDraft(db: Queryable, run: RunKey): Promise<void> {
  await db.run(sql`
    DELETE FROM payroll_draft_entry WHERE organization_id = ${run.organizationId} AND run_id = ${run.id}`);
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
