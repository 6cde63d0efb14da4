import Type, { type Static } from 'typebox';
import { NamedObject, Values } from '../../schema.ts';
import { Incident } from '../public/incident.ts';

/** Fields that an incident may need to be complete (specification.md 5.5), in the order of a report. */
export const incidentRequirements = [
  'orderId',
  'occurredOn',
  'effectiveFrom',
  'description',
  'policeReference',
] as const;

export type IncidentRequirement = (typeof incidentRequirements)[number];

export const IncidentDetails = NamedObject('IncidentDetails', 'An incident with what it lacks', {
  incident: Incident,
  missing: Type.Array(Values('IncidentRequirement', incidentRequirements, 'A field of the incident'), {
    description: 'Fields that the incident lacks to be complete',
  }),
});
export type IncidentDetails = Static<typeof IncidentDetails>;
