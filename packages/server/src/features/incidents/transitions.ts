import { ApiError, type Incident } from '@kontor/contract';
import type { Turn } from '../../write/writes.ts';
import { incidentRow } from './mapping.ts';
import { type IncidentAction, updateIncident } from './store.ts';

type Status = Incident['status'];

/** A state that an incident is moved into; `draft` and `completed` follow from the report. */
export type Destination = Exclude<Status, 'draft' | 'completed'>;

/** The states that an incident can be moved into from each of them (specification.md 5.5). */
const nextStates: Readonly<Record<Status, readonly Destination[]>> = {
  draft: ['cancelled'],
  completed: ['in_progress', 'cancelled'],
  in_progress: ['resolved', 'rejected'],
  resolved: [],
  rejected: [],
  cancelled: [],
};

/** What the audit calls the way into a state. */
const actions: Readonly<Record<Destination, IncidentAction>> = {
  in_progress: 'incident.start',
  resolved: 'incident.resolve',
  rejected: 'incident.reject',
  cancelled: 'incident.cancel',
};

/** Whether an incident may go into a state. @throws ApiError INVALID_STATE_TRANSITION; no state leads to itself. */
export function checkMove({ status }: Pick<Incident, 'status'>, to: Destination): void {
  const possible = nextStates[status];
  if (possible.includes(to)) return;
  const advice = possible.length === 0 ? 'that state is final' : `it can become ${possible.join(', ')}`;
  throw new ApiError(
    'INVALID_STATE_TRANSITION',
    `The incident is ${status} and cannot become ${to}: ${advice}; read it again`,
  );
}

/**
 * Moves an incident, which was read in this turn, into another state, and answers the document that is stored. Nobody edits
 * it from then on.
 * @throws as of {@link checkMove}
 */
export function moveIncident(turn: Turn, incident: Incident, to: Destination): string {
  checkMove(incident, to);
  const row = incidentRow({ ...incident, status: to, editable: false, updatedAt: turn.instant });
  const fields = incident.editable ? ['status', 'editable'] : ['status'];
  updateIncident(turn, { row, action: actions[to], fields });
  return row.doc;
}
