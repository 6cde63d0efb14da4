import {
  ApiError,
  appliedOrdersMaximum,
  type DecisionRule,
  type DecisionRuleApplication,
  type DecisionRuleInput,
  type DecisionRuleTrial,
  type Order,
  unprocessable,
} from '@kontor/contract';
import type { Turn } from '../../../write/writes.ts';
import { amount, cents, monthlyRate } from '../contract.ts';
import { decide } from '../rules.ts';
import type { Found } from '../store.ts';
import { moveOrders, type Step } from '../transitions.ts';

/** The content of a rule. */
export type Rule = Pick<DecisionRule, 'approveUpTo' | 'rejectAbove' | 'withinDays'>;

/** Sorts before all identifiers. */
export const first = '';

const dayMilliseconds = 86_400_000;

/** Completes and checks a rule. @throws ApiError 422 VALIDATION_ERROR for a rule that decides nothing or contradicts itself */
export function completeRule({
  approveUpTo = null,
  rejectAbove = null,
  withinDays = null,
}: DecisionRuleInput): Rule {
  if (approveUpTo === null && rejectAbove === null)
    throw unprocessable('approveUpTo or rejectAbove is required: a rule without both decides nothing');
  for (const [name, limit] of Object.entries({ approveUpTo, rejectAbove }))
    if (limit !== null && cents(limit) < 0n) throw unprocessable(`${name} must not be negative`);
  if (approveUpTo !== null && rejectAbove !== null && cents(rejectAbove) < cents(approveUpTo))
    throw unprocessable('rejectAbove must not be less than approveUpTo');
  return { approveUpTo, rejectAbove, withinDays };
}

/**
 * The decision of a rule on an order at an instant; null leaves the order to people. Without a contract the rate is unknown, so such
 * orders are left, and those that are too old.
 */
export function decideAutomatically(
  { approveUpTo, rejectAbove, withinDays }: Rule,
  { contract, submittedAt }: Pick<Order, 'contract' | 'submittedAt'>,
  at: Date,
): 'approved' | 'rejected' | null {
  if (contract === null) return null;
  const age = at.getTime() - Date.parse(submittedAt);
  if (withinDays !== null && age > withinDays * dayMilliseconds) return null;
  const rate = monthlyRate(contract);
  if (approveUpTo !== null && rate <= cents(approveUpTo)) return 'approved';
  if (rejectAbove !== null && rate > cents(rejectAbove)) return 'rejected';
  return null;
}

/** An order that is stored or new, with the state of its employee. */
interface Undecided {
  readonly order: Pick<Order, 'status' | 'contract' | 'submittedAt' | 'hrHistory'>;
  readonly employee: Found['employee'];
}

/**
 * The step of a rule with an order at an instant; null for none. An order that HR cannot decide, such as to approve one of a blocked
 * employee, is left.
 */
export function automaticStep(rule: Rule, { order, employee }: Undecided, at: Date): Step | null {
  const decision = decideAutomatically(rule, order, at);
  if (decision === null) return null;
  const decided = decide(order, employee, { decision }, 'automatic');
  if (decided instanceof ApiError) return null;
  return { to: decided.status, hrHistory: { ...decided.hrHistory, decidedAt: at.toISOString() } };
}

/** Applies a rule to at most {@link appliedOrdersMaximum} orders that were read in this turn. Null decides on none. */
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

/** The counts of a trial. */
type Tally = { -readonly [Name in keyof DecisionRuleTrial]: DecisionRuleTrial[Name] };

export function beginTrial(): Tally {
  return {
    looked: 0,
    wouldApprove: 0,
    wouldReject: 0,
    wouldLeave: 0,
    decidedByPeople: 0,
    agreed: 0,
    differed: 0,
    differing: [],
    next: null,
  };
}

const counts = { approved: 'wouldApprove', rejected: 'wouldReject', left: 'wouldLeave' } as const;

/** Tries a rule on one more order, as of the instant at which the order was created. */
export function tryRule(tally: Tally, rule: Rule, order: Order): void {
  const wouldBe = decideAutomatically(rule, order, new Date(order.createdAt));
  tally.looked++;
  tally[counts[wouldBe ?? 'left']]++;
  const { hrHistory } = order;
  if (hrHistory === null || hrHistory.source === 'automatic') return;
  tally.decidedByPeople++;
  if (wouldBe === null) return;
  const { decision, decidedAt } = hrHistory;
  if (decision === wouldBe) {
    tally.agreed++;
    return;
  }
  tally.differed++;
  const { id: orderId, orderNumber, contract } = order;
  const rate = amount(monthlyRate(contract!));
  tally.differing.push({ orderId, orderNumber, monthlyRate: rate, decision, decidedAt, wouldBe });
}
