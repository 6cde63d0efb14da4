import type { Incident } from '@kontor/contract';
import { incidentResource } from './resource.ts';
import { findInScope } from '../../db/find-in-scope.ts';
import type { Queryable } from '../../db/session.ts';
import { assignments, empty, type Fragment, insertion, sql } from '../../db/sql.ts';
import type { Scope } from '../../auth/scope.ts';
import { placesOf, type Turn } from '../../write/writes.ts';
import type { IncidentRow } from './record.ts';

/** Where the employee of an incident stands, and whether they may have one. */
export interface Reporter {
  readonly tenantId: string | null;
  readonly divisionId: string | null;
  readonly activated: boolean;
  readonly blocked: boolean;
  /** Whether the order that was asked for is one of the employee's. */
  readonly ownsOrder: boolean;
  /** The number that an incident of the organization was given last. */
  readonly lastSequence: string;
}

/** An incident in scope, and whether the order that was asked for is one of its employee. */
export interface Found {
  readonly incident: Incident;
  readonly doc: string;
  readonly ownsOrder: boolean;
}

/** An incident in scope, as a write starts from it; `orderId` is the order to look for. */
export async function findIncident(
  db: Queryable,
  scope: Scope,
  tenant: string | null,
  id: string,
  orderId: string | null,
): Promise<Found | null> {
  const row = await findInScope<{ doc: string; ownsOrder: boolean }>(
    db,
    { table: 'incident', scope, tenant, id },
    sql`doc, ${ownsOrder(sql`incident.employee_id`, scope, orderId)} AS "ownsOrder"`,
  );
  return row && { ...row, incident: incidentResource.parse(row.doc) };
}

/** The employee of a new incident when in scope, else null; `orderId` is the order to look for. */
export function findReporter(
  db: Queryable,
  scope: Scope,
  tenant: string | null,
  employeeId: string,
  orderId: string | null,
): Promise<Reporter | null> {
  return findInScope<Reporter>(
    db,
    { table: 'employee', scope, tenant, id: employeeId },
    sql`
      tenant_id AS "tenantId", division_id AS "divisionId", activated_at IS NOT NULL AS activated, blocked,
      ${ownsOrder(sql`employee.id`, scope, orderId)} AS "ownsOrder",
      (SELECT incident_sequence FROM organization WHERE organization.id = ${scope.organizationId}) AS "lastSequence"`,
  );
}

/** Whether the order is one of the employee; an order is visible exactly when its employee is. */
function ownsOrder(employee: Fragment, scope: Scope, orderId: string | null): Fragment {
  return sql`EXISTS (SELECT FROM employee_order o WHERE o.organization_id = ${scope.organizationId}
    AND o.id = ${orderId} AND o.employee_id = ${employee})`;
}

/** Stores an incident of an employee who stands there. */
export function insertIncident(
  turn: Turn,
  row: IncidentRow,
  { tenantId, divisionId }: Pick<Reporter, 'tenantId' | 'divisionId'>,
): void {
  const place = { organization_id: turn.organizationId, tenant_id: tenantId, division_id: divisionId };
  turn.write(sql`INSERT INTO incident ${insertion({ ...place, ...row })}`);
  turn.count('incident', placesOf(tenantId, divisionId));
  turn.audit({ id: row.id, action: 'incident.create' });
}

/** Notes the number that a new incident was given. */
export function takeSequence(turn: Turn, sequence: bigint): void {
  turn.write(sql`
    UPDATE organization SET incident_sequence = ${String(sequence)} WHERE id = ${turn.organizationId}`);
}

/** What the audit calls a change of an incident. */
export type IncidentAction =
  | 'incident.update'
  | 'incident.attach'
  | 'incident.start'
  | 'incident.resolve'
  | 'incident.reject'
  | 'incident.cancel';

/** A change of a stored incident. */
export interface Update {
  readonly row: IncidentRow;
  readonly action: IncidentAction;
  /** Names of the changed public fields. */
  readonly fields: readonly string[];
  /** A new attachment and the SHA-256 of its bytes. */
  readonly attached?: { readonly id: string; readonly sha256: string };
}

/** Stores a changed incident. */
export function updateIncident(turn: Turn, { row, action, fields, attached }: Update): void {
  const { id, ...values } = row;
  const digest = attached
    ? sql`, attachment_sha256 = attachment_sha256 || jsonb_build_object(${attached.id}::text, ${attached.sha256}::text)`
    : empty;
  turn.write(sql`
    UPDATE incident SET ${assignments(values)} ${digest}
    WHERE organization_id = ${turn.organizationId} AND id = ${id}`);
  turn.audit({ id: row.id, action, fields });
}
