import { idParameter, list, type Operation, read, write } from '../../operation.ts';
import {
  Incident,
  IncidentAttachment,
  IncidentCreate,
  IncidentList,
  IncidentPatch,
  incidentAttachmentMaximum,
  incidentFields,
} from '../../resources/public/incident.ts';

export const incidentOperations = {
  listIncidents: {
    ...list,
    path: '/incidents',
    tag: 'Incidents',
    summary: 'List incidents',
    description: 'Lists the incidents of the employees in the scope of the key.',
    success: { status: 200, description: 'A page of incidents', body: IncidentList },
    fields: incidentFields,
  },
  createIncident: {
    ...write,
    path: '/incidents',
    tag: 'Incidents',
    summary: 'Report an incident',
    description:
      'Reports an incident of an activated, not blocked employee. It is `draft` while something required is missing, else `completed`: `orderId`, `occurredOn` and `description` are required; for leaves, long-term illness and a release from work also `effectiveFrom`; for theft and loss also `policeReference`.',
    body: IncidentCreate,
    success: { status: 201, description: 'The incident was created', body: Incident },
    errors: [
      'VALIDATION_ERROR',
      'INVALID_REFERENCE_ID',
      'INVALID_REFERENCE',
      'EMPLOYEE_NOT_ACTIVATED',
      'EMPLOYEE_BLOCKED',
    ],
  },
  getIncident: {
    ...read,
    path: '/incidents/{id}',
    tag: 'Incidents',
    summary: 'Get an incident',
    description: 'Reads one incident of an employee in the scope of the key.',
    parameters: idParameter('Identifier of the incident'),
    success: { status: 200, description: 'The incident', body: Incident },
  },
  updateIncident: {
    ...write,
    method: 'PATCH',
    path: '/incidents/{id}',
    tag: 'Incidents',
    summary: 'Update an incident',
    description:
      'Merges the body into an editable incident: absent properties stay, null clears. `status` follows from what is then missing.',
    parameters: idParameter('Identifier of the incident'),
    body: IncidentPatch,
    success: { status: 200, description: 'The incident after the update', body: Incident },
    errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE', 'INVALID_STATE_TRANSITION'],
  },
  uploadIncidentAttachment: {
    ...write,
    path: '/incidents/{id}/attachments',
    tag: 'Incidents',
    summary: 'Attach a file to an incident',
    description: `Attaches a PNG, JPEG, WebP or PDF file (by its content) to a completed, editable incident with fewer than ${incidentAttachmentMaximum} attachments. \`Location\` is the incident, which shows its attachments.`,
    parameters: idParameter('Identifier of the incident'),
    upload: true,
    success: { status: 201, description: 'The file was attached', body: IncidentAttachment },
    errors: ['INVALID_STATE_TRANSITION'],
  },
} as const satisfies Record<string, Operation>;
