import Type, { type Static } from 'typebox';
import { fieldsOf } from '../fields.ts';
import { Day, Flag, Id, Instant, NamedObject, nullable, orNull, PatchBody, Text, Values } from '../schema.ts';
import { attachmentOf } from './attachment.ts';
import { listOf } from './list.ts';

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

const employeeId = Id('Employee whom the incident is about');
const type = Values('IncidentType', incidentTypes, 'What happened');
const RequestedSolution = Values('RequestedSolution', requestedSolutions, 'What is asked for');
const report = {
  orderId: nullable(Id('Order that the incident disturbs, one of the employee')),
  requestedSolution: orNull(RequestedSolution, 'What is asked for'),
  occurredOn: nullable(Day('Day on which it happened')),
  effectiveFrom: nullable(Day('First day of the effect')),
  effectiveTo: nullable(Day('Last day of the effect')),
  description: nullable(Text('What happened, in words', 'Am Bahnhof gestohlen', { maxLength: 4000 })),
  policeReference: nullable(Text('Reference of the police report', 'ST/0123456/2026', { maxLength: 200 })),
};

export const IncidentAttachment = attachmentOf('IncidentAttachment', 'Evidence of an incident', {});
export type IncidentAttachment = Static<typeof IncidentAttachment>;

export const Incident = NamedObject('Incident', 'An event that disturbs a running order (Störfall)', {
  id: Id('Unique identifier of the incident'),
  incidentNumber: Text('Number of the incident', 'S-2026-000042'),
  employeeId,
  orderId: report.orderId,
  type,
  requestedSolution: report.requestedSolution,
  occurredOn: report.occurredOn,
  effectiveFrom: report.effectiveFrom,
  effectiveTo: report.effectiveTo,
  description: report.description,
  policeReference: report.policeReference,
  status: Values('IncidentStatus', incidentStatuses, 'State of an incident, run by the server'),
  editable: Flag('Whether the incident can be updated', true),
  attachments: Type.Array(IncidentAttachment, { description: 'Evidence' }),
  createdAt: Instant('When the incident was created'),
  updatedAt: Instant('When the incident last changed; strictly increasing per organization in commit order'),
});
export type Incident = Static<typeof Incident>;

export const IncidentList = listOf(Incident, 'IncidentList');

const optional = {
  orderId: Type.Optional(report.orderId),
  requestedSolution: Type.Optional(report.requestedSolution),
  occurredOn: Type.Optional(report.occurredOn),
  effectiveFrom: Type.Optional(report.effectiveFrom),
  effectiveTo: Type.Optional(report.effectiveTo),
  description: Type.Optional(report.description),
  policeReference: Type.Optional(report.policeReference),
};

export const IncidentCreate = NamedObject('IncidentCreate', 'A new incident', {
  employeeId,
  type,
  ...optional,
});
export type IncidentCreate = Static<typeof IncidentCreate>;

export const IncidentPatch = PatchBody(
  'IncidentPatch',
  'A merge: an absent property is left alone, null clears a nullable one',
  { type: Type.Optional(type), ...optional },
);
export type IncidentPatch = Static<typeof IncidentPatch>;

export const incidentFields = fieldsOf(Incident);
