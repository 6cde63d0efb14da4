import {
  cancelIncident,
  type Incident,
  rejectIncident,
  resolveIncident,
  startIncident,
} from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import { implement } from '../../http/implement.ts';
import type { ResourceCall } from '../../http/read-resource.ts';
import { ok, type OkAnswer, type Route } from '../../http/route.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { checkTransition, type Destination } from './rules.ts';
import { findIncident } from './public-routes.ts';
import { moveIncident } from './store.ts';

interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
}

export function incidentTransitionRoutes(parts: Parts): Route[] {
  return [
    implement(startIncident, call => move(parts, call, 'in_progress')),
    implement(resolveIncident, call => move(parts, call, 'resolved')),
    implement(rejectIncident, call => move(parts, call, 'rejected')),
    implement(cancelIncident, call => move(parts, call, 'cancelled')),
  ];
}

/**
 * Moves the incident of a call into a state that clients cannot edit. Also checked before the write, so a rejected request does not take
 * the organization clock.
 * @throws ApiError NOT_FOUND, INVALID_STATE_TRANSITION
 */
async function move({ reads, writes }: Parts, call: ResourceCall, status: Destination): Promise<OkAnswer> {
  const read = async (db: Queryable): Promise<Incident> => {
    const { incident } = await findIncident(db, call, null);
    checkTransition(incident, status);
    return incident;
  };
  await read(reads);
  const doc = await writes.runOrdered(requestOf(call), {
    targets: [call.parameters.id],
    read,
    change: (write, incident) => moveIncident(write, incident, status),
  });
  return ok(doc);
}
