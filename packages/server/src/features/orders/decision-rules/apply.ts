import { appliedOrdersMaximum, type DecisionRuleApplication } from '@kontor/contract';
import type { Turn } from '../../../write/writes.ts';
import type { Found } from '../store.ts';
import { moveOrders } from '../transitions.ts';
import { automaticStep, type Rule } from './rule.ts';

/** In front of all identifiers. */
export const first = '';

/** Decides by a rule on orders that were read in this turn, at most {@link appliedOrdersMaximum}; without one (null) on none. */
export function applyRule(turn: Turn, rule: Rule | null, found: readonly Found[]): DecisionRuleApplication {
  const moves = found.flatMap(({ order, employee }) => {
    const step = rule && automaticStep(rule, { order, employee }, turn.at);
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
