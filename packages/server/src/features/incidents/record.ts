import { fold, foldVersion, type Incident } from '@kontor/contract';
import { searchText } from '../../collection/search-text.ts';

/** The version of the stored document, so that a later shape can be rolled out in batches. */
const incidentDocVersion = 1;

/**
 * The columns of `incident` that follow from its public document, with the PostgreSQL types of their parameters. Tenant
 * and division are those of the employee.
 */
export const incidentColumns = {
  id: 'text',
  employee_id: 'text',
  order_id: 'text',
  folded_incident_number: 'text',
  type: 'text',
  requested_solution: 'text',
  occurred_on: 'text::date',
  effective_from: 'text::date',
  effective_to: 'text::date',
  folded_description: 'text',
  folded_police_reference: 'text',
  search: 'text',
  status: 'text',
  editable: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  doc_version: 'smallint',
  fold_version: 'smallint',
  doc: 'text',
} as const;

export type IncidentColumn = keyof typeof incidentColumns;
export type IncidentRow = Record<IncidentColumn, string | number | boolean | null> & {
  id: string;
  doc: string;
};

/** The row of an incident. */
export function incidentRow(incident: Incident): IncidentRow {
  const folded = {
    folded_incident_number: fold(incident.incidentNumber),
    folded_description: folding(incident.description),
    folded_police_reference: folding(incident.policeReference),
  };
  return {
    id: incident.id,
    employee_id: incident.employeeId,
    order_id: incident.orderId,
    ...folded,
    type: incident.type,
    requested_solution: incident.requestedSolution,
    occurred_on: incident.occurredOn,
    effective_from: incident.effectiveFrom,
    effective_to: incident.effectiveTo,
    search: searchText(Object.values(folded)),
    status: incident.status,
    editable: incident.editable,
    created_at: incident.createdAt,
    updated_at: incident.updatedAt,
    doc_version: incidentDocVersion,
    fold_version: foldVersion,
    doc: documentOf(incident),
  };
}

function folding(value: string | null): string | null {
  return value === null ? null : fold(value);
}

/** The document in the order of the contract. */
function documentOf(incident: Incident): string {
  const document: Incident = {
    id: incident.id,
    incidentNumber: incident.incidentNumber,
    employeeId: incident.employeeId,
    orderId: incident.orderId,
    type: incident.type,
    requestedSolution: incident.requestedSolution,
    occurredOn: incident.occurredOn,
    effectiveFrom: incident.effectiveFrom,
    effectiveTo: incident.effectiveTo,
    description: incident.description,
    policeReference: incident.policeReference,
    status: incident.status,
    editable: incident.editable,
    attachments: incident.attachments,
    createdAt: incident.createdAt,
    updatedAt: incident.updatedAt,
  };
  return JSON.stringify(document);
}
