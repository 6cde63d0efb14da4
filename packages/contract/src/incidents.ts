import Type, { type Static } from 'typebox';
import { attachmentOf } from './attachment.ts';
import { ResourceChanges } from './audit/audit.ts';
import { fieldsOf } from './fields.ts';
import { listOf } from './list.ts';
import { idParameter, list, publicOperation, read, write } from './operation.ts';
import { downloadOrderAttachment } from './orders/orders.ts';
import { ofOrganization, platformOperation } from './platform-operation.ts';
import { PayrollPayer } from './payroll/settings.ts';
import { exported, ofHr, ofPortal, portalOperation, searched } from './portal-operation.ts';
import {
  ClosedObject,
  Day,
  Flag,
  Id,
  NamedObject,
  nullable,
  optionals,
  orNull,
  PatchBody,
  Text,
  timestamps,
  Values,
} from './schema.ts';

export const incidentTypes = [
  'termination',
  'long_term_illness',
  'maternity_leave',
  'parental_leave',
  'unpaid_leave',
  'release',
  'retirement',
  'death',
  'employer_change',
  'theft',
  'damage',
  'accident',
  'loss',
  'other',
] as const;

export const requestedSolutions = [
  'user_change',
  'employer_change',
  'early_purchase',
  'return',
  'rate_protection',
  'repair',
  'replacement',
] as const;

export const incidentStatuses = [
  'draft',
  'completed',
  'in_progress',
  'resolved',
  'rejected',
  'cancelled',
] as const;

/** Maximum attachments of an incident (specification.md 5.5). */
export const incidentAttachmentMaximum = 20;

const employeeId = Id('Employee of the incident');
const type = Values('IncidentType', incidentTypes, 'What happened');
const RequestedSolution = Values('RequestedSolution', requestedSolutions, 'Requested solution');
const orderId = nullable(Id('Order that the incident disturbs, one of the employee'));
const report = {
  requestedSolution: orNull(RequestedSolution, 'Requested solution'),
  occurredOn: nullable(Day('Day of the event')),
  effectiveFrom: nullable(Day('First day of the effect')),
  effectiveTo: nullable(Day('Last day of the effect')),
  description: nullable(Text('Description of the event', 'Am Bahnhof gestohlen', { maxLength: 4000 })),
  policeReference: nullable(Text('Reference of the police report', 'ST/0123456/2026', { maxLength: 200 })),
};

export const IncidentAttachment = attachmentOf('IncidentAttachment', 'Evidence of an incident', {});
export type IncidentAttachment = Static<typeof IncidentAttachment>;

export const Incident = NamedObject('Incident', 'An event that disturbs a running order (Störfall)', {
  id: Id('Unique identifier of the incident'),
  incidentNumber: Text('Number of the incident', 'S-2026-000042'),
  employeeId,
  orderId,
  type,
  ...report,
  status: Values('IncidentStatus', incidentStatuses, 'State of an incident, set by the service'),
  editable: Flag('Whether the incident can be updated', true),
  attachments: Type.Array(IncidentAttachment, { description: 'Evidence' }),
  ...timestamps('incident'),
});
export type Incident = Static<typeof Incident>;

export const IncidentList = listOf(Incident, 'IncidentList');

const editable = { orderId, ...report };

export const IncidentCreate = NamedObject('IncidentCreate', 'A new incident', {
  employeeId,
  type,
  ...optionals(editable),
});
export type IncidentCreate = Static<typeof IncidentCreate>;

export const IncidentPatch = PatchBody(
  'IncidentPatch',
  'A merge: an absent property is left alone, null clears a nullable one',
  { type, ...editable },
);
export type IncidentPatch = Static<typeof IncidentPatch>;

export const incidentFields = fieldsOf(Incident);

export const listIncidents = publicOperation({
  ...list,
  path: '/incidents',
  tag: 'Incidents',
  summary: 'List incidents',
  description: 'Lists the incidents of the employees in the scope of the key.',
  success: { status: 200, description: 'A page of incidents', body: IncidentList },
  fields: incidentFields,
});

export const createIncident = publicOperation({
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
});

export const getIncident = publicOperation({
  ...read,
  path: '/incidents/{id}',
  tag: 'Incidents',
  summary: 'Get an incident',
  description: 'Reads one incident of an employee in the scope of the key.',
  parameters: idParameter('Identifier of the incident'),
  success: { status: 200, description: 'The incident', body: Incident },
});

export const updateIncident = publicOperation({
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
});

export const uploadIncidentAttachment = publicOperation({
  ...write,
  path: '/incidents/{id}/attachments',
  tag: 'Incidents',
  summary: 'Attach a file to an incident',
  description: `Attaches a PNG, JPEG, WebP or PDF file (by its content) to a completed, editable incident with fewer than ${incidentAttachmentMaximum} attachments. \`Location\` is the incident, which shows its attachments.`,
  parameters: idParameter('Identifier of the incident'),
  upload: true,
  success: { status: 201, description: 'The file was attached', body: IncidentAttachment },
  errors: ['INVALID_STATE_TRANSITION'],
});

const path = '/organizations/{organizationId}/incidents/{id}';

const transition = {
  ...write,
  tag: 'Incident transitions',
  permission: 'transitions:write',
  parameters: ofOrganization('Identifier of the incident'),
  errors: ['INVALID_STATE_TRANSITION'],
} as const;

const success = <const Text extends string>(description: Text) =>
  ({ status: 200, description, body: Incident }) as const;

export const startIncident = platformOperation({
  ...transition,
  path: `${path}/processing`,
  summary: 'Start work on an incident',
  description:
    'Moves an incident that is `completed` to `in_progress`. It is not editable from then on. A `draft` lacks something that is required.',
  success: success('The incident, which is in progress'),
});

export const resolveIncident = platformOperation({
  ...transition,
  path: `${path}/resolution`,
  summary: 'Resolve an incident',
  description: 'Moves an incident that is `in_progress` to `resolved`.',
  success: success('The incident, which is resolved'),
});

export const rejectIncident = platformOperation({
  ...transition,
  path: `${path}/rejection`,
  summary: 'Reject an incident',
  description: 'Moves an incident that is `in_progress` to `rejected`.',
  success: success('The incident, which is rejected'),
});

export const cancelIncident = platformOperation({
  ...transition,
  path: `${path}/cancellation`,
  summary: 'Cancel an incident',
  description:
    'Moves an incident that is `draft` or `completed` to `cancelled`. It is not editable from then on; one in progress is resolved or rejected instead.',
  success: success('The incident, which is cancelled'),
});

const evidence = `${path}/attachments`;
const ofEvidence = ClosedObject({
  ...transition.parameters.properties,
  attachmentId: Id('Identifier of the attachment'),
});

export const attachIncidentFile = platformOperation({
  ...transition,
  path: evidence,
  summary: 'Attach a file to an incident',
  description: `Attaches a PNG, JPEG, WebP or PDF file (by its content) to an editable incident, including a \`draft\`, with fewer than ${incidentAttachmentMaximum} attachments.`,
  upload: true,
  success: { status: 201, description: 'The file was attached', body: IncidentAttachment },
});

export const removeIncidentFile = platformOperation({
  ...transition,
  method: 'DELETE',
  path: `${evidence}/{attachmentId}`,
  parameters: ofEvidence,
  summary: 'Remove a file of an incident',
  description:
    'Removes a file of an editable incident, for example a photo of the wrong bike. Its bytes are deleted at once; `updatedAt` of the incident moves.',
  success: success('The incident without the file'),
});

const leaveFacts = {
  bikeReturned: nullable(
    Flag('Whether the bike was given back for the leave, which suspends the taxable benefit', false),
  ),
  payer: orNull(PayrollPayer, 'Who pays the suspended rate; null: as the payroll settings say'),
  comment: nullable(Text('Comment', 'Rate per Überweisung zum Monatsende', { maxLength: 1000 })),
};

export const IncidentLeave = NamedObject('IncidentLeave', 'A leave as payroll sees it', {
  incident: Incident,
  ...leaveFacts,
});
export type IncidentLeave = Static<typeof IncidentLeave>;

export const IncidentLeavePatch = PatchBody(
  'IncidentLeavePatch',
  'A merge: an absent property is left alone, null clears',
  { effectiveTo: nullable(Day('Last day of the leave')), ...leaveFacts },
);
export type IncidentLeavePatch = Static<typeof IncidentLeavePatch>;

export const recordIncidentLeave = platformOperation({
  ...transition,
  path: `${path}/leave`,
  summary: 'Record the end of a leave, its payer and the bike',
  description:
    'Sets what was agreed about a leave that is `completed`, `in_progress` or `resolved`. The last day is public. Payer, comment, and whether the bike was given back are not in the public API.',
  body: IncidentLeavePatch,
  success: { status: 200, description: 'The leave', body: IncidentLeave },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});

/** Fields that an incident may need to be complete (specification.md 5.5), in the order of a report. */
export const incidentRequirements = [
  'orderId',
  'occurredOn',
  'effectiveFrom',
  'description',
  'policeReference',
] as const;

export type IncidentRequirement = (typeof incidentRequirements)[number];

const completeness = {
  incident: Incident,
  missing: Type.Array(Values('IncidentRequirement', incidentRequirements)),
};

export const IncidentReport = ClosedObject(completeness);
export type IncidentReport = Static<typeof IncidentReport>;

/** One answer with everything that is shown of an incident. */
export const IncidentDetails = ClosedObject({
  ...completeness,
  // Null where nothing can be recorded: it is not a leave, or does not count.
  leave: orNull(ClosedObject(leaveFacts)),
  history: ResourceChanges,
});
export type IncidentDetails = Static<typeof IncidentDetails>;

const shown = { ...downloadOrderAttachment.success, isShown: true } as const;

export const listPortalIncidents = ofHr(listIncidents, {
  ...searched,
  path: '/incidents/search',
});

export const exportPortalIncidents = ofHr(listIncidents, {
  ...exported,
  path: '/incidents/export',
});

export const getPortalIncident = ofHr(getIncident, {
  success: {
    status: 200,
    body: IncidentDetails,
  },
});

export const createPortalIncident = ofHr(createIncident, {
  success: { status: 201, body: IncidentReport },
});

export const updatePortalIncident = ofHr(updateIncident, {
  success: { status: 200, body: IncidentReport },
});

export const recordPortalIncidentLeave = ofPortal(recordIncidentLeave, {
  tag: 'Incidents',
  permission: 'HR',
});

export const uploadPortalIncidentAttachment = ofHr(uploadIncidentAttachment, {});

const ofHrDesk = { tag: 'Incidents', permission: 'HR' } as const;

export const removePortalIncidentFile = ofPortal(removeIncidentFile, ofHrDesk);

export const withdrawPortalIncident = ofPortal(cancelIncident, ofHrDesk);

export const downloadPortalIncidentAttachment = portalOperation({
  ...ofHr(downloadOrderAttachment, { success: shown }),
  path: '/incidents/{id}/attachments/{attachmentId}',
  tag: 'Incidents',
  parameters: ClosedObject({
    id: Id('Identifier of the incident'),
    attachmentId: Id('Identifier of the attachment'),
  }),
});
