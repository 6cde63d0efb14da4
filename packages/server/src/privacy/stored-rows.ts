import type { Employee } from '@kontor/contract';
import type { Queryable } from '../db/session.ts';
import { type Fragment, raw, sql } from '../db/sql.ts';
import { employeeResource } from '../features/employees/mapping.ts';
import { readImportedRows } from '../features/employees/portal-import/data-subject.ts';
import { incidentResource } from '../features/incidents/mapping.ts';
import { orderResource } from '../features/orders/mapping.ts';
import type { CollectionTable } from '../query/check.ts';

/** A row: its document, and the columns that are not in it. */
export interface StoredRow {
  readonly document: Readonly<Record<string, unknown>>;
  readonly internal: Readonly<Record<string, unknown>>;
}

export interface StoredAttachment {
  readonly id: string;
  readonly fileName: string;
  readonly size: number;
  /** Null if it was not recorded. */
  readonly sha256: string | null;
}

export interface StoredRows {
  readonly employee: StoredRow;
  readonly orders: readonly StoredRow[];
  readonly incidents: readonly StoredRow[];
  readonly payroll: readonly PayrollRow[];
  /** Answers to questions that payroll asked about the person. */
  readonly answers: readonly Readonly<Record<string, unknown>>[];
  /** Settlements that were proposed. */
  readonly proposals: readonly Readonly<Record<string, unknown>>[];
  /** Values before and after each change, while they are kept. */
  readonly history: readonly Readonly<Record<string, unknown>>[];
  /** Rows of CSV imports of the portal, while they are kept. */
  readonly imports: readonly Readonly<Record<string, unknown>>[];
  readonly audit: readonly Readonly<Record<string, unknown>>[];
}

/** An entry of the payroll ledger, with the basis that it was computed from. A settlement has none. */
export interface PayrollRow {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly basis: Readonly<Record<string, unknown>> | null;
}

/** Reads the rows about an employee; null if there is none. The session must read one snapshot. */
export async function readStoredRows(
  session: Queryable,
  organizationId: string,
  employeeId: string,
): Promise<StoredRows | null> {
  const read = (resource: CollectionTable, condition: Fragment) =>
    readRows(session, resource, organizationId, condition);
  const [employee] = await read(employeeResource, sql`id = ${employeeId}`);
  if (!employee) return null;
  const orders = await read(orderResource, sql`employee_id = ${employeeId}`);
  const incidents = await read(incidentResource, sql`employee_id = ${employeeId}`);
  const ids = [employee, ...orders, ...incidents].map(({ document }) => document['id'] as string);
  const payroll = await readPayroll(session, organizationId, employeeId);
  const readOf = (from: Parameters<typeof readRowsOf>[1]) =>
    readRowsOf(session, from, { organizationId, employeeId });
  const person = employee.document as unknown as Employee;
  return {
    employee,
    orders,
    incidents,
    payroll,
    answers: await readOf({ table: 'payroll_acknowledgement', order: 'acknowledged_at, code' }),
    proposals: await readOf({ table: 'payroll_proposal', order: 'id' }),
    history: await readOf({ table: 'employee_change', hidden: ['folded_actor_name'], order: 'at, id' }),
    imports: await readImportedRows(session, organizationId, person),
    audit: await readAudit(session, organizationId, ids),
  };
}

async function readPayroll(
  session: Queryable,
  organizationId: string,
  employeeId: string,
): Promise<PayrollRow[]> {
  return session.rows<PayrollRow>(sql`
    SELECT to_jsonb(p) - 'organization_id' AS entry, b.basis FROM payroll_entry p
    LEFT JOIN payroll_basis b
      ON b.organization_id = ${organizationId} AND b.order_id = p.order_id AND b.version = p.basis_version
    WHERE p.organization_id = ${organizationId} AND p.employee_id = ${employeeId}
    ORDER BY p.order_id, p.month, p.kind, p.created_at`);
}

/** Reads the rows of a table that name the employee, without these columns. */
async function readRowsOf(
  session: Queryable,
  { table, hidden = [], order }: { table: string; hidden?: readonly string[]; order: string },
  { organizationId, employeeId }: { organizationId: string; employeeId: string },
): Promise<Record<string, unknown>[]> {
  const left = ['organization_id', 'employee_id', ...hidden];
  const rows = await session.rows<{ row: Record<string, unknown> }>(sql`
    SELECT to_jsonb(t) - ${left}::text[] AS row FROM ${raw(table)} t
    WHERE organization_id = ${organizationId} AND employee_id = ${employeeId} ORDER BY ${raw(order)}`);
  return rows.map(({ row }) => row);
}

/** Columns that repeat the document, besides those of its fields. */
const derivedColumns = [
  'organization_id',
  'doc',
  'doc_version',
  'fold_version',
  'search',
  'email_key',
  'employee_number',
  'order_number',
];

async function readRows(
  session: Queryable,
  { table, columns }: CollectionTable,
  organizationId: string,
  condition: Fragment,
): Promise<StoredRow[]> {
  const derived = [...derivedColumns, ...Array.from(columns.values(), ({ name }) => name)];
  const rows = await session.rows<{ doc: string; internal: Record<string, unknown> }>(sql`
    SELECT doc, to_jsonb(t) - ${derived}::text[] AS internal FROM ${raw(table)} t
    WHERE organization_id = ${organizationId} AND ${condition} ORDER BY id`);
  return rows.map(({ doc, internal }) => ({
    document: JSON.parse(doc) as Record<string, unknown>,
    internal,
  }));
}

/** Reads the audit of these resources. No index serves it, so it scans the whole audit of the organization. */
async function readAudit(
  session: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Record<string, unknown>[]> {
  // Only audit entries of rejected requests have these columns, and personal data are never their target.
  const hidden = sql`'organization_id', 'folded_actor_name', 'reason', 'n'`;
  const rows = await session.rows<{ entry: Record<string, unknown> }>(sql`
    SELECT to_jsonb(a) - ARRAY[${hidden}] AS entry FROM audit a
    WHERE organization_id = ${organizationId} AND target_id = ANY(${[...ids]}::text[]) ORDER BY at, target_id`);
  return rows.map(({ entry }) => entry);
}

export function attachmentsOf({ orders, incidents }: StoredRows): StoredAttachment[] {
  return [...orders, ...incidents].flatMap(({ document, internal }) => {
    const digests = (internal['attachment_sha256'] ?? {}) as Record<string, string>;
    const attachments = document['attachments'] as readonly Omit<StoredAttachment, 'sha256'>[];
    return attachments.map(({ id, fileName, size }) => ({
      id,
      fileName,
      size,
      sha256: digests[id] ?? null,
    }));
  });
}
