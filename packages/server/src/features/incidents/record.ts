import type { Incident } from '@kontor/contract';
import { incidentResource } from './mapping.ts';

/** The columns of an incident that follow from its public data, `doc` among them. */
export type IncidentRow = ReturnType<typeof incidentRow>;

/** The row of an incident. */
export function incidentRow(incident: Incident) {
  return { ...incidentResource.row(incident), doc: incidentResource.document(incident) };
}
