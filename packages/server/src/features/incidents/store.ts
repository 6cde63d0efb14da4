import type { Incident } from '@kontor/contract';
import { incidentResource, incidentRow, type IncidentRow } from './mapping.ts';
import { checkTransition, type Destination, type LeaveFacts, type Reporter } from './rules.ts';
import { findInScope } from '../../auth/find-in-scope.ts';
import type { Queryable } from '../../db/session.ts';
import { assignments, type Fragment, insertion, sql } from '../../db/sql.ts';
import type { Scope } from '../../auth/scope.ts';
import { type Attached, digestAssignment, digestRemoval } from '../../files/keeping.ts';
import { placesOf, type WriteAtClock } from '../../write/writes.ts';

/** The employee of a new incident, with the place of the incident and the last number in the organization. */
interface StoredReporter extends Reporter {
  readonly tenantId: string | null;
  readonly divisionId: string | null;
  readonly lastSequence: string;
}

/** `ownsOrder`: a given order belongs to the incident's employee. */
export interface Found {
  readonly incident: Incident;
  readonly doc: string;
  readonly ownsOrder: boolean;
  readonly leave: LeaveFacts;
}

/** The order that a request names; null: none. */
export interface NamedOrder {
  readonly id: string | null;
  /** Whether it counts only once it was handed over. */
  readonly needsHandover: boolean;
}

export async function findIncident(
  db: Queryable,
  scope: Scope,
  tenant: string | null,
  id: string,
  order: NamedOrder | null,
): Promise<Found | null> {
  const row = await findInScope<{ doc: string; ownsOrder: boolean } & LeaveFacts>(
    db,
    { table: 'incident', scope, tenant, id },
    sql`doc, ${ownsOrder(sql`incident.employee_id`, scope, order)} AS "ownsOrder",
      bike_returned AS "bikeReturned", leave_payer AS payer, leave_comment AS comment`,
  );
  if (row === null) return null;
  const { doc, ownsOrder: owns, ...leave } = row;
  return { doc, ownsOrder: owns, leave, incident: incidentResource.parse(doc) };
}

export function findReporter(
  db: Queryable,
  scope: Scope,
  tenant: string | null,
  employeeId: string,
  order: NamedOrder,
): Promise<StoredReporter | null> {
  return findInScope<StoredReporter>(
    db,
    { table: 'employee', scope, tenant, id: employeeId },
    sql`
      tenant_id AS "tenantId", division_id AS "divisionId", activated_at IS NOT NULL AS activated, blocked,
      ${ownsOrder(sql`employee.id`, scope, order)} AS "ownsOrder",
      (SELECT incident_sequence FROM organization WHERE organization.id = ${scope.organizationId}) AS "lastSequence"`,
  );
}

/** Selects whether the order belongs to the employee. An order is visible exactly when its employee is. */
function ownsOrder(employee: Fragment, scope: Scope, order: NamedOrder | null): Fragment {
  if (order === null || order.id === null) return sql`false`;
  const isHandedOver = order.needsHandover ? sql` AND o.status IN ('active', 'completed')` : sql``;
  return sql`EXISTS (SELECT FROM employee_order o WHERE o.organization_id = ${scope.organizationId}
    AND o.id = ${order.id} AND o.employee_id = ${employee}${isHandedOver})`;
}

export function insertIncident(
  write: WriteAtClock,
  row: IncidentRow,
  { tenantId, divisionId }: Pick<StoredReporter, 'tenantId' | 'divisionId'>,
): void {
  const place = { organization_id: write.organizationId, tenant_id: tenantId, division_id: divisionId };
  write.send(sql`INSERT INTO incident ${insertion({ ...place, ...row })}`);
  write.count('incident', placesOf(tenantId, divisionId));
  write.audit({ id: row.id, action: 'incident.create' });
}

export function updateSequence(write: WriteAtClock, sequence: bigint): void {
  write.send(sql`
    UPDATE organization SET incident_sequence = ${String(sequence)} WHERE id = ${write.organizationId}`);
}

export type IncidentAction =
  | 'incident.update'
  | 'incident.attach'
  | 'incident.detach'
  | 'incident.record_leave'
  | 'incident.start'
  | 'incident.resolve'
  | 'incident.reject'
  | 'incident.cancel';

export interface Update {
  readonly row: IncidentRow;
  readonly action: IncidentAction;
  readonly fields: readonly string[];
  readonly attached?: Attached;
  /** The identifier of a removed attachment. */
  readonly detached?: string;
  /** Absent: unchanged. */
  readonly leave?: LeaveFacts;
}

/** Changes of a leave that payroll does not depend on: a late certificate delays no deduction. */
const outsidePayroll: ReadonlySet<string> = new Set([
  'attachments',
  'description',
  'editable',
  'comment',
  'occurredOn',
  'payer',
  'policeReference',
  'requestedSolution',
]);

function changesPayroll({ action, fields }: Pick<Update, 'action' | 'fields'>): boolean {
  if (action === 'incident.start' || action === 'incident.resolve') return false;
  return fields.some(field => !outsidePayroll.has(field));
}

export function updateIncident(write: WriteAtClock, update: Update): void {
  const { row, action, fields, attached, detached, leave } = update;
  const { id, ...values } = row;
  const ofLeave = leave && {
    bike_returned: leave.bikeReturned,
    leave_payer: leave.payer,
    leave_comment: leave.comment,
  };
  const payrollChangedAt = changesPayroll(update)
    ? sql`${write.at}`
    : sql`coalesce(payroll_changed_at, updated_at)`;
  write.send(sql`
    UPDATE incident SET ${assignments({ ...values, ...ofLeave })}, payroll_changed_at = ${payrollChangedAt}
      ${digestAssignment(attached)}${digestRemoval(detached)}
    WHERE organization_id = ${write.organizationId} AND id = ${id}`);
  write.audit({ id: row.id, action, fields });
}

const actions = {
  in_progress: 'incident.start',
  resolved: 'incident.resolve',
  rejected: 'incident.reject',
  cancelled: 'incident.cancel',
} as const satisfies Record<Destination, string>;

/** Moves an incident, as read in this write, into a state that clients cannot edit. @throws ApiError INVALID_STATE_TRANSITION */
export function moveIncident(write: WriteAtClock, incident: Incident, to: Destination): string {
  checkTransition(incident, to);
  const row = incidentRow({ ...incident, status: to, editable: false, updatedAt: write.instant });
  const fields = incident.editable ? ['status', 'editable'] : ['status'];
  updateIncident(write, { row, action: actions[to], fields });
  return row.doc;
}
