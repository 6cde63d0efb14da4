import { orderResource } from '../resource.ts';
import type { Due } from '../../../jobs/clockwork.ts';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';
import type { Turn } from '../../../write/writes.ts';
import { lastDay } from '../due-store.ts';
import type { Found } from '../store.ts';

/** Orders that came in together by an import. */
export interface ImportedOrders {
  readonly tenantId: string;
  readonly importedAt: Date;
}

/** How long an import has for its decisions before the clockwork makes them, in milliseconds. */
const timeout = 5 * 60_000;

/** Notes, in the turn of an import, that the rule of the tenant is still to decide on its orders. */
export function noteImport(turn: Turn, { tenantId, importedAt }: ImportedOrders): void {
  turn.write(sql`
    INSERT INTO undecided_import (organization_id, tenant_id, imported_at, due_at)
    VALUES (${turn.organizationId}, ${tenantId}, ${importedAt}, ${new Date(turn.at.getTime() + timeout)})`);
}

/** Notes, in a turn that decides, up to which order that was done. */
export function noteProgress(turn: Turn, { tenantId, importedAt }: ImportedOrders, behind: string): void {
  turn.write(sql`
    UPDATE undecided_import SET behind = ${behind}
    WHERE organization_id = ${turn.organizationId} AND tenant_id = ${tenantId} AND imported_at = ${importedAt}`);
}

/** Notes that all of an import is done. */
export function noteEnd(turn: Turn, { tenantId, importedAt }: ImportedOrders): void {
  turn.write(sql`
    DELETE FROM undecided_import
    WHERE organization_id = ${turn.organizationId} AND tenant_id = ${tenantId} AND imported_at = ${importedAt}`);
}

/** Orders of an import that were not looked at yet. */
const left = sql`o.tenant_id = u.tenant_id AND o.created_at = u.imported_at AND o.id > u.behind AND o.status = 'under_review'`;

/** Forgets, behind the decisions of a turn, the imports of its organization of which no order is left. */
export function forgetDone(turn: Turn): void {
  turn.write(sql`
    DELETE FROM undecided_import u WHERE u.organization_id = ${turn.organizationId} AND u.due_at <= ${turn.at}
      AND NOT EXISTS (SELECT FROM employee_order o WHERE o.organization_id = ${turn.organizationId} AND ${left})`);
}

/** Orders of imports that were ended before their decisions, by import. They have no last day: so they are found by the index of what waits. */
export function leftInAll(db: Queryable): Promise<Due[]> {
  return db.rows<{ organizationId: string; count: number; since: Date }>(sql`
    SELECT due.* FROM undecided_import u CROSS JOIN LATERAL (
      SELECT o.organization_id AS "organizationId", count(*)::int AS count, u.due_at AS since
      FROM employee_order o
      WHERE o.organization_id = u.organization_id AND ${left} AND ${lastDay} IS NULL GROUP BY o.organization_id) AS due
    WHERE u.due_at <= statement_timestamp() ORDER BY due.since`);
}

/** Such orders of an organization, so many at most: import by import, in the order of their identifiers. */
export async function leftIn(db: Queryable, organizationId: string, max: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT due.id FROM undecided_import u CROSS JOIN LATERAL (
      SELECT o.id FROM employee_order o WHERE o.organization_id = ${organizationId} AND ${left}
      ORDER BY o.id LIMIT ${max}) AS due
    WHERE u.organization_id = ${organizationId} AND u.due_at <= statement_timestamp()
    ORDER BY u.imported_at, u.tenant_id, due.id LIMIT ${max}`);
  return rows.map(({ id }) => id);
}

/** An order with its import, as a decision starts from it. */
export interface FoundImported extends Found, ImportedOrders {}

/** Reads imported orders as they are, in the order of their identifiers. */
export async function readImported(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<FoundImported[]> {
  const rows = await db.rows<{ doc: string; blocked: boolean; tenantId: string; importedAt: Date }>(sql`
    SELECT o.doc, e.blocked, o.tenant_id AS "tenantId", o.created_at AS "importedAt" FROM employee_order o
    JOIN employee e ON e.organization_id = o.organization_id AND e.id = o.employee_id
    WHERE o.organization_id = ${organizationId} AND o.id = ANY(${[...ids]}::text[]) ORDER BY o.id`);
  return rows.map(({ doc, blocked, ...imported }) => ({
    order: orderResource.parse(doc),
    employee: { blocked },
    ...imported,
  }));
}
