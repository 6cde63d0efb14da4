import { appliedOrdersMaximum, type DecisionRuleApplication } from '@kontor/contract';
import type { Pool } from '../../../database/connect.ts';
import { inTurn, operator, type Turn } from '../../../writes/writes.ts';
import type { Found } from '../store.ts';
import { moveOrders } from '../transitions.ts';
import { automaticStep, type Rule } from './rule.ts';
import { findRule, findUndecided, type Place } from './store.ts';

/** In front of all identifiers. */
export const first = '';

/** Decides by a rule on orders that were read in this turn, at most {@link appliedOrdersMaximum}. */
export function applyRule(turn: Turn, rule: Rule, found: readonly Found[]): DecisionRuleApplication {
  const moves = found.flatMap(({ order, employee }) => {
    const step = automaticStep(rule, { order, employee }, turn.at);
    return step ? [{ order, step }] : [];
  });
  moveOrders(turn, moves);
  const approved = moves.filter(({ step }) => step.to === 'approved').length;
  return {
    looked: found.length,
    approved,
    rejected: moves.length - approved,
    left: found.length - moves.length,
    next: found.length === appliedOrdersMaximum ? found.at(-1)!.order.id : null,
  };
}

/**
 * Decides on the orders that a turn has created, in turns of their own behind that one, by the rule of their tenant if it has one.
 * Returns on how many.
 */
export async function decideCreated(db: Pool, place: Place, createdAt: Date): Promise<number> {
  let decided = 0;
  // Who has no rule, as most, takes no turn.
  let after: string | null = (await findRule(db, place))?.rule ? first : null;
  while (after !== null) {
    const from: string = after;
    const { approved, rejected, next } = await inTurn(
      db,
      place.organizationId,
      operator,
      async (turn, session) => {
        const rule = (await findRule(session, place))?.rule;
        if (!rule) return { approved: 0, rejected: 0, next: null };
        const limits = { after: from, limit: appliedOrdersMaximum, createdAt };
        return applyRule(turn, rule, await findUndecided(session, place, limits));
      },
    );
    decided += approved + rejected;
    after = next;
  }
  return decided;
}
