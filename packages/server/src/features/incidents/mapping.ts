import { Incident, incidentFields } from '@kontor/contract';
import { defineResource, everywhere, plain, searched } from '../../query/resource.ts';

/** Tenant and division of the row are those of the employee. */
export const incidentResource = defineResource({
  table: 'incident',
  resourceType: 'incident',
  schema: Incident,
  fields: incidentFields,
  stored: {
    id: plain('id', 'text', ...everywhere),
    incidentNumber: searched('folded_incident_number'),
    employeeId: plain('employee_id', 'text', 'organization'),
    orderId: plain('order_id'),
    type: plain('type'),
    requestedSolution: plain('requested_solution'),
    occurredOn: plain('occurred_on', 'date'),
    effectiveFrom: plain('effective_from', 'date'),
    effectiveTo: plain('effective_to', 'date'),
    description: searched('folded_description'),
    policeReference: searched('folded_police_reference'),
    status: plain('status'),
    editable: plain('editable', 'boolean'),
    createdAt: plain('created_at', 'timestamptz'),
    updatedAt: plain('updated_at', 'timestamptz', 'organization'),
  },
});

export type IncidentRow = ReturnType<typeof incidentRow>;

export function incidentRow(incident: Incident) {
  return { ...incidentResource.row(incident), doc: incidentResource.document(incident) };
}
