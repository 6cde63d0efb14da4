import Type, { type Static } from 'typebox';
import { NamedObject, Values } from '../../schema.ts';
import { Incident } from '../public/incident.ts';
import { ResourceChanges } from './history.ts';

/** Fields that an incident may need to be complete (specification.md 5.5), in the order of a report. */
export const incidentRequirements = [
  'orderId',
  'occurredOn',
  'effectiveFrom',
  'description',
  'policeReference',
] as const;

export type IncidentRequirement = (typeof incidentRequirements)[number];

const report = {
  incident: Incident,
  missing: Type.Array(Values('IncidentRequirement', incidentRequirements, 'A field of the incident'), {
    description: 'Fields that the incident lacks to be complete',
  }),
};

export const IncidentReport = NamedObject('IncidentReport', 'An incident with what it lacks', report);
export type IncidentReport = Static<typeof IncidentReport>;

/** One answer with everything that is shown of an incident. */
export const IncidentDetails = NamedObject('IncidentDetails', 'An incident with its history', {
  ...report,
  history: ResourceChanges,
});
export type IncidentDetails = Static<typeof IncidentDetails>;
