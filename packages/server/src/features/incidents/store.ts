import type { Incident } from '@kontor/contract';
import { findInScope } from '../../database/find-in-scope.ts';
import type { Queryable } from '../../database/session.ts';
import { assignments, empty, type Fragment, insertion, sql } from '../../database/sql.ts';
import type { Scope } from '../../scope.ts';
import { type IncidentColumn, type IncidentRow, incidentColumns } from './record.ts';

/** Who writes, for the audit. */
export interface Author {
  readonly actor: string;
  readonly requestId: string;
}

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

const columns = Object.keys(incidentColumns) as IncidentColumn[];

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
  return row && { ...row, incident: JSON.parse(row.doc) as Incident };
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
      (SELECT incident_sequence FROM organization WHERE organization.id = organization_id) AS "lastSequence"`,
  );
}

/** Whether the order is one of the employee; an order is visible exactly when its employee is. */
function ownsOrder(employee: Fragment, scope: Scope, orderId: string | null): Fragment {
  return sql`EXISTS (SELECT FROM employee_order o WHERE o.organization_id = ${scope.organizationId}
    AND o.id = ${orderId} AND o.employee_id = ${employee})`;
}

/** Notes the number that a new incident was given, in a transaction that holds the organization clock. */
export function takeSequence(organizationId: string, sequence: bigint): Fragment {
  return sql`UPDATE organization SET incident_sequence = ${String(sequence)} WHERE id = ${organizationId}`;
}

/** What a write stores beside the row, of one transaction. `author` is null in a dry run, which is neither counted nor audited. */
export interface Insertion {
  readonly row: IncidentRow;
  readonly place: Pick<Reporter, 'tenantId' | 'divisionId'>;
  readonly author: Author | null;
}

/** The statement that inserts an incident, counts and audits it, in a transaction that holds the organization clock. */
export function insertIncident(organizationId: string, { row, place, author }: Insertion): Fragment {
  const { tenantId, divisionId } = place;
  const values = { organization_id: organizationId, tenant_id: tenantId, division_id: divisionId };
  const stored = sql`INSERT INTO incident ${insertion({ ...values, ...columnsOf(row) })}`;
  if (author === null) return stored;
  const scopes = ['', tenantId ?? 'none', divisionId].filter(scope => scope !== null);
  return sql`
    WITH stored AS (${stored}),
    counted AS (
      INSERT INTO counter (organization_id, family, scope, n)
      SELECT ${organizationId}, 'incident', scope, 1 FROM unnest(${scopes}::text[]) AS scope
      ON CONFLICT (organization_id, family, scope) DO UPDATE SET n = counter.n + excluded.n)
    ${auditing(organizationId, row, { action: 'incident.create', fields: [], author })}`;
}

function columnsOf(row: IncidentRow): Record<string, unknown> {
  return Object.fromEntries(columns.map(name => [name, row[name]]));
}

/** A change of a stored incident. `author` is null in a dry run, which is not audited. */
export interface Update {
  readonly row: IncidentRow;
  readonly action: 'incident.update' | 'incident.attach';
  /** Names of the changed public fields. */
  readonly fields: readonly string[];
  readonly author: Author | null;
  /** A new attachment and the SHA-256 of its bytes. */
  readonly attached?: { readonly id: string; readonly sha256: string };
}

/** The statement that stores a changed incident and audits it, in a transaction that holds the organization clock. */
export function updateIncident(organizationId: string, update: Update): Fragment {
  const { row, author, attached } = update;
  const { id, ...values } = columnsOf(row);
  const digest = attached
    ? sql`, attachment_sha256 = attachment_sha256 || jsonb_build_object(${attached.id}::text, ${attached.sha256}::text)`
    : empty;
  const stored = sql`
    UPDATE incident SET ${assignments(values)} ${digest}
    WHERE organization_id = ${organizationId} AND id = ${id}`;
  if (author === null) return stored;
  return sql`WITH stored AS (${stored}) ${auditing(organizationId, row, { ...update, author })}`;
}

function auditing(
  organizationId: string,
  row: IncidentRow,
  { action, fields, author }: { action: string; fields: readonly string[]; author: Author },
): Fragment {
  return sql`
    INSERT INTO audit (organization_id, at, target_id, action, actor, request_id, fields)
    VALUES (${organizationId}, ${row.updated_at}, ${row.id}, ${action}, ${author.actor}, ${author.requestId}, ${fields})`;
}
