import type { Clockwork } from '../../jobs/clockwork.ts';
import type { Queryable } from '../../db/session.ts';
import { mayRemoveAudit } from './retention.ts';
import { readUnswept } from './sweep-store.ts';
import { slicesLeft, sweepOn } from './sweep.ts';

/**
 * Entries that are older than they are kept are removed, once a day in each organization: every removal is an entry itself. Where the
 * role of the server may not remove any, nothing is due here, and `kontor audit prune` does it.
 */
export const auditClockwork: Clockwork = {
  name: 'audit_removal',
  look: async db => ((await mayRemoveAudit(db)) ? readUnswept(db) : []),
  find: slicesIn,
  async carryOut(writes, request, slices) {
    let sum = 0;
    for (let n = 0, isLast = false; n < slices.length && !isLast; n++) {
      const swept = await writes.beside(request, (turn, session) => sweepOn(turn, session));
      sum += swept.removed;
      isLast = swept.isLast;
    }
    return sum;
  },
};

/** A mark for each slice of entries that nobody has looked at: nobody needs to know which those are. */
async function slicesIn(db: Queryable, organizationId: string, max: number): Promise<string[]> {
  const slices = Math.min(max, await slicesLeft(db, organizationId));
  return Array.from({ length: slices }, (_, n) => `slice ${n}`);
}
