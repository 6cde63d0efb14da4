import { ApiError, type Incident } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import type { HandlersOf } from '../../http/handlers.ts';
import { type Call, ok, type OkAnswer } from '../../http/route.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { findIncident } from './store.ts';
import { checkMove, type Destination, moveIncident } from './transitions.ts';

interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
}

/** The operations that take incidents through their states, which are the platform's. */
export function incidentTransitionHandlers(parts: Parts): HandlersOf<'platform', 'Incident transitions'> {
  return {
    startIncident: call => move(parts, call, 'in_progress'),
    resolveIncident: call => move(parts, call, 'resolved'),
    rejectIncident: call => move(parts, call, 'rejected'),
    cancelIncident: call => move(parts, call, 'cancelled'),
  };
}

type OfIncident = Omit<Call, 'parameters'> & { readonly parameters: { readonly id: string } };

/**
 * Moves the incident of a call into a state. Refused before the organization clock is taken where that is known already.
 * @throws ApiError NOT_FOUND, INVALID_STATE_TRANSITION
 */
async function move({ reads, writes }: Parts, call: OfIncident, to: Destination): Promise<OkAnswer> {
  const { scope, tenant, parameters } = call;
  const read = async (db: Queryable): Promise<Incident> => {
    const found = (await findIncident(db, scope, tenant, parameters.id, null)) ?? notFound();
    checkMove(found.incident, to);
    return found.incident;
  };
  await read(reads);
  const doc = await writes.runOrdered(requestOf(call), {
    targets: [parameters.id],
    read,
    change: (turn, incident) => moveIncident(turn, incident, to),
  });
  return ok(doc);
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No incident with this id is visible to the token');
}
