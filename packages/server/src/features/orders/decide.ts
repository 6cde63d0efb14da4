import { ApiError, type OrderDecision } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import type { CallOf } from '../../http/handlers.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { orderNotFound } from './not-found.ts';
import { type Decided, decide, type Refusal, type Source } from './rules.ts';
import { findOrder, type Found } from './store.ts';
import { moveOrder } from './transitions.ts';

/**
 * Decides on the order of a call, and answers its document. Refused before the organization clock is taken where that is known
 * already, and decided under it.
 * @throws ApiError NOT_FOUND, and every refusal of a decision
 */
export async function decideOrder(
  { reads, writes }: { readonly reads: Pool; readonly writes: Writes },
  call: CallOf<'decideOrder'> | CallOf<'recordOrderDecision'>,
  source: Source,
): Promise<string> {
  const { scope, tenant, parameters, body: decision } = call;
  const read = async (db: Queryable) =>
    (await findOrder(db, scope, tenant, parameters.id)) ?? orderNotFound(call);
  decided(await read(reads), decision, source);
  return writes.runOrdered(requestOf(call), {
    targets: [parameters.id],
    read,
    change(turn, found) {
      const { status, hrHistory } = decided(found, decision, source);
      const step = { to: status, hrHistory: { ...hrHistory, decidedAt: turn.instant } };
      return moveOrder(turn, found.order, step);
    },
  });
}

/** The order as decided. @throws ApiError for every refusal of a decision. */
function decided({ order, employee }: Found, decision: OrderDecision, source: Source): Decided {
  const result = decide(order, employee, decision, source);
  if (typeof result === 'string') throw new ApiError(result, refusals[result]);
  return result;
}

const refusals: Readonly<Record<Refusal, string>> = {
  ORDER_ALREADY_DECIDED: 'The order has a decision already: read it again',
  INVALID_STATE_TRANSITION: 'Only an order that is under_review can be decided: read it again',
  EMPLOYEE_BLOCKED:
    'The employee of the order is blocked: unblock the employee before approving, or reject the order',
};
