import type { Incident } from '@kontor/contract';
import { findInScope } from '../../database/find-in-scope.ts';
import { Parameters } from '../../database/parameters.ts';
import type { Session, Statement, Statements } from '../../database/transaction.ts';
import type { Scope } from '../../scope.ts';
import { type IncidentColumn, type IncidentRow, incidentColumns } from './record.ts';

/** Who writes, for the audit. */
export interface Author {
  readonly actor: string;
  readonly requestId: string;
}

/** Where the employee of an incident stands, and whether he may have one. */
export interface Reporter {
  readonly tenantId: string | null;
  readonly divisionId: string | null;
  readonly activated: boolean;
  readonly blocked: boolean;
  /** Whether the order that was asked for is one of his. */
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
  sql: Statements,
  scope: Scope,
  tenant: string | null,
  id: string,
  orderId: string | null,
): Promise<Found | null> {
  const row = await findInScope<{ doc: string; ownsOrder: boolean }>(
    sql,
    { table: 'incident', scope, tenant, id },
    parameters => `doc, ${ownsOrder('incident.employee_id', scope, orderId, parameters)} AS "ownsOrder"`,
  );
  return row && { ...row, incident: JSON.parse(row.doc) as Incident };
}

/** The employee of a new incident when he is in scope, else null; `orderId` is the order to look for. */
export function findReporter(
  sql: Statements,
  scope: Scope,
  tenant: string | null,
  employeeId: string,
  orderId: string | null,
): Promise<Reporter | null> {
  return findInScope<Reporter>(
    sql,
    { table: 'employee', scope, tenant, id: employeeId },
    parameters => `
      tenant_id AS "tenantId", division_id AS "divisionId", activated_at IS NOT NULL AS activated, blocked,
      ${ownsOrder('employee.id', scope, orderId, parameters)} AS "ownsOrder",
      (SELECT incident_sequence FROM organization WHERE organization.id = organization_id) AS "lastSequence"`,
  );
}

/** Whether the order is one of the employee; an order is visible exactly when its employee is. */
function ownsOrder(employee: string, scope: Scope, orderId: string | null, parameters: Parameters): string {
  return `EXISTS (SELECT FROM employee_order o WHERE o.organization_id = ${parameters.add(scope.organizationId)}
    AND o.id = ${parameters.add(orderId, 'text')} AND o.employee_id = ${employee})`;
}

/** Notes the number that a new incident was given, in a transaction that holds the organization clock. */
export function takeSequence(session: Session, organizationId: string, sequence: bigint): Statement {
  return session`
    UPDATE organization SET incident_sequence = ${String(sequence)} WHERE id = ${organizationId}`;
}

/** What a write stores beside the row, of one transaction. `author` is null in a dry run, which is neither counted nor audited. */
export interface Insertion {
  readonly row: IncidentRow;
  readonly place: Pick<Reporter, 'tenantId' | 'divisionId'>;
  readonly author: Author | null;
}

/** The statement that inserts an incident, counts and audits it, in a transaction that holds the organization clock. */
export function insertIncident(
  session: Session,
  organizationId: string,
  { row, place, author }: Insertion,
): Statement {
  const parameters = new Parameters();
  const organization = parameters.add(organizationId);
  const tenant = parameters.add(place.tenantId, 'text');
  const division = parameters.add(place.divisionId, 'text');
  const values = columns.map(name => parameters.add(row[name], incidentColumns[name]));
  const stored = `
    INSERT INTO incident (organization_id, tenant_id, division_id, ${columns.join(', ')})
    VALUES (${organization}, ${tenant}, ${division}, ${values.join(', ')})`;
  if (author === null) return session.unsafe(stored, parameters.values as never[], { prepare: true });
  const text = `
    WITH stored AS (${stored}),
    counted AS (
      INSERT INTO counter (organization_id, family, scope, n)
      SELECT ${organization}, 'incident', scope, 1
      FROM unnest(ARRAY['', coalesce(${tenant}, 'none'), ${division}]) AS scope WHERE scope IS NOT NULL
      ON CONFLICT (organization_id, family, scope) DO UPDATE SET n = counter.n + excluded.n)
    ${auditing(organization, parameters, row, { action: 'incident.create', fields: [], author })}`;
  return session.unsafe(text, parameters.values as never[], { prepare: true });
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
export function updateIncident(session: Session, organizationId: string, update: Update): Statement {
  const { row, author, attached } = update;
  const parameters = new Parameters();
  const organization = parameters.add(organizationId);
  const changes = columns
    .filter(name => name !== 'id')
    .map(name => `${name} = ${parameters.add(row[name], incidentColumns[name])}`);
  if (attached)
    changes.push(`attachment_sha256 = attachment_sha256
      || jsonb_build_object(${parameters.add(attached.id, 'text')}, ${parameters.add(attached.sha256, 'text')})`);
  const stored = `
    UPDATE incident SET ${changes.join(', ')}
    WHERE organization_id = ${organization} AND id = ${parameters.add(row.id)}`;
  const text =
    author === null
      ? stored
      : `WITH stored AS (${stored}) ${auditing(organization, parameters, row, { ...update, author })}`;
  return session.unsafe(text, parameters.values as never[], { prepare: true });
}

function auditing(
  organization: string,
  parameters: Parameters,
  row: IncidentRow,
  { action, fields, author }: { action: string; fields: readonly string[]; author: Author },
): string {
  const values = [
    parameters.add(row.updated_at, 'timestamptz'),
    parameters.add(row.id),
    parameters.add(action),
    parameters.add(author.actor),
    parameters.add(author.requestId),
    parameters.add([...fields], 'text[]'),
  ];
  return `
    INSERT INTO audit (organization_id, at, target_id, action, actor, request_id, fields)
    VALUES (${organization}, ${values.join(', ')})`;
}
