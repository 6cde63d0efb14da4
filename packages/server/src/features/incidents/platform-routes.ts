import type { Incident } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import type { HandlersOf } from '../../http/handlers.ts';
import type { ResourceCall } from '../../http/read-resource.ts';
import { ok, type OkAnswer } from '../../http/route.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { checkTransition, type Destination } from './rules.ts';
import { findIncident } from './public-routes.ts';
import { moveIncident } from './store.ts';

interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
}

export function incidentTransitionHandlers(parts: Parts): HandlersOf<'platform', 'Incident transitions'> {
  return {
    startIncident: call => move(parts, call, 'in_progress'),
    resolveIncident: call => move(parts, call, 'resolved'),
    rejectIncident: call => move(parts, call, 'rejected'),
    cancelIncident: call => move(parts, call, 'cancelled'),
  };
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
