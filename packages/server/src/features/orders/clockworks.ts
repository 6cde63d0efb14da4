import type { Clockwork } from '../../jobs/clockwork.ts';
import { importDecision } from './automatic/imported.ts';
import { hasRunOut, hasWaitedTooLong } from './due.ts';
import { endedIn, endedInAll, type Judged, readJudged, waitedIn, waitedInAll } from './due-store.ts';
import { moveOrders, type Step } from './transitions.ts';

/** Orders that nobody has decided on in the days of their tenant expire. */
const orderExpiry: Clockwork = {
  name: 'order_expiry',
  look: waitedInAll,
  find: waitedIn,
  carryOut: moving('expired', ({ order, decisionDays }, at) => hasWaitedTooLong(order, decisionDays, at)),
};

/** Orders whose contract has run out are completed. */
const orderCompletion: Clockwork = {
  name: 'order_completion',
  look: endedInAll,
  find: endedIn,
  carryOut: moving('completed', ({ order }, at) => hasRunOut(order, at)),
};

/** What becomes of orders by itself. */
export const orderClockworks: readonly Clockwork[] = [orderExpiry, orderCompletion, importDecision];

/** Moves those orders into a state of which it is still true in their turn that they are due. */
function moving(to: Step['to'], isDue: (judged: Judged, at: Date) => boolean): Clockwork['carryOut'] {
  return (writes, request, ids) =>
    writes.runOrdered(request, {
      targets: ids,
      read: session => readJudged(session, request.organizationId, ids),
      change(turn, found) {
        const due = found.filter(judged => isDue(judged, turn.at));
        moveOrders(
          turn,
          due.map(({ order }) => ({ order, step: { to } })),
        );
        return due.length;
      },
    });
}
