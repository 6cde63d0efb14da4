import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import {
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
} from '../../schema.ts';
import { attachmentOf } from './attachment.ts';
import { listOf } from '../list.ts';

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
