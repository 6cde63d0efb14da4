import { appliedOrdersMaximum } from '@kontor/contract';
import type { Clockwork } from '../../../jobs/clockwork.ts';
import type { Pool } from '../../../db/connect.ts';
import type { Queryable } from '../../../db/session.ts';
import { writeOrdered, operator, type Turn } from '../../../write/writes.ts';
import { applyRule, first } from './apply.ts';
import {
  type FoundImported,
  forgetDone,
  leftIn,
  leftInAll,
  noteEnd,
  noteImport,
  noteProgress,
  readImported,
} from './imported-store.ts';
import type { Rule } from './rule.ts';
import { findRule, findUndecided, type Place } from './store.ts';

/** Whether the rule of the tenant is to decide on what an import brings in this turn; then that is noted, until it is done. */
export async function awaitDecisions(turn: Turn, session: Queryable, place: Place): Promise<boolean> {
  // Who has no rule, as most, takes no turn more.
  if (!(await findRule(session, place))?.rule) return false;
  noteImport(turn, { tenantId: place.tenantId, importedAt: turn.at });
  return true;
}

/**
 * Decides on the orders that the turn of an import has created, in turns of their own behind that one, by the rule of their tenant.
 * Returns on how many. What it does not come to, because it is ended, {@link importDecision} does.
 */
export async function decideImported(db: Pool, place: Place, importedAt: Date): Promise<number> {
  const imported = { tenantId: place.tenantId, importedAt };
  let decided = 0;
  for (let after: string | null = first; after !== null;) {
    const from: string = after;
    const { approved, rejected, next } = await writeOrdered(
      db,
      place.organizationId,
      operator,
      async (turn, session) => {
        const rule = (await findRule(session, place))?.rule;
        const limits = { after: from, limit: appliedOrdersMaximum, createdAt: importedAt };
        const applied = applyRule(turn, rule ?? null, await findUndecided(session, place, limits));
        if (applied.next === null) noteEnd(turn, imported);
        else noteProgress(turn, imported, applied.next);
        return applied;
      },
    );
    decided += approved + rejected;
    after = next;
  }
  return decided;
}

/** The rule of a tenant decides on the orders of imports that were ended before they had done so themselves. */
export const importDecision: Clockwork = {
  name: 'import_decision',
  look: leftInAll,
  find: leftIn,
  carryOut: (writes, request, ids) =>
    writes.runOrdered(request, {
      targets: ids,
      async read(session) {
        const found = await readImported(session, request.organizationId, ids);
        const rules = new Map<string, Rule | null>();
        for (const { tenantId } of found)
          if (!rules.has(tenantId)) rules.set(tenantId, await ruleOf(session, request, tenantId));
        return { found, rules };
      },
      change(turn, { found, rules }) {
        let decided = 0;
        for (const orders of byImport(found)) {
          const { approved, rejected } = applyRule(turn, rules.get(orders[0]!.tenantId)!, orders);
          noteProgress(turn, orders[0]!, orders.at(-1)!.order.id);
          decided += approved + rejected;
        }
        forgetDone(turn);
        return decided;
      },
    }),
};

async function ruleOf(
  session: Queryable,
  { organizationId }: Pick<Place, 'organizationId'>,
  tenantId: string,
): Promise<Rule | null> {
  return (await findRule(session, { organizationId, tenantId }))?.rule ?? null;
}

function byImport(found: readonly FoundImported[]): Iterable<FoundImported[]> {
  return Map.groupBy(found, ({ tenantId, importedAt }) => `${tenantId} ${importedAt.getTime()}`).values();
}
