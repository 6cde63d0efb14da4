import { incidentFields } from '@kontor/contract';
import type { CollectionTable, Column } from '../../collection/table.ts';

/** Where the public fields of incidents stand in the table `incident`. */
export const incidentTable: CollectionTable = {
  table: 'incident',
  family: 'incident',
  fields: incidentFields,
  columns: new Map<string, Column>([
    ['id', { name: 'id', indexed: ['organization', 'tenant', 'division'] }],
    ['incidentNumber', { name: 'folded_incident_number', search: true }],
    ['employeeId', { name: 'employee_id', indexed: ['organization'] }],
    ['orderId', { name: 'order_id' }],
    ['type', { name: 'type' }],
    ['requestedSolution', { name: 'requested_solution' }],
    ['occurredOn', { name: 'occurred_on' }],
    ['effectiveFrom', { name: 'effective_from' }],
    ['effectiveTo', { name: 'effective_to' }],
    ['description', { name: 'folded_description', search: true }],
    ['policeReference', { name: 'folded_police_reference', search: true }],
    ['status', { name: 'status' }],
    ['editable', { name: 'editable' }],
    ['createdAt', { name: 'created_at' }],
    ['updatedAt', { name: 'updated_at', indexed: ['organization'] }],
  ]),
};
