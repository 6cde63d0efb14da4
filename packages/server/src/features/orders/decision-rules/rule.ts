import {
  type DecisionRule,
  type DecisionRuleApplication,
  type DecisionRuleInput,
  type DecisionRuleTrial,
  type Order,
  appliedOrdersMaximum,
  unprocessable,
} from '@kontor/contract';
import { amount, cents, monthlyRate } from '../contract.ts';
import { decide } from '../rules.ts';
import type { Found } from '../store.ts';
import { type Step, moveOrders } from '../transitions.ts';
import type { Turn } from '../../../write/writes.ts';

/** What a rule says. */
export type Rule = Pick<DecisionRule, 'approveUpTo' | 'rejectAbove' | 'withinDays'>;

type Decision = 'approved' | 'rejected';

const dayMilliseconds = 86_400_000;

/** The rule that somebody sends, whole. @throws ApiError 422 VALIDATION_ERROR for one that says nothing or contradicts itself. */
export function ruleOf({
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
 * What a rule decides on an order at an instant; null: it is left to people, as one without a contract always is, of which nobody
 * knows the rate, and one that has become too old.
 */
export function decideAutomatically(
  { approveUpTo, rejectAbove, withinDays }: Rule,
  { contract, submittedAt }: Pick<Order, 'contract' | 'submittedAt'>,
  at: Date,
): Decision | null {
  if (contract === null) return null;
  const age = at.getTime() - Date.parse(submittedAt);
  if (withinDays !== null && age > withinDays * dayMilliseconds) return null;
  const rate = monthlyRate(contract);
  if (approveUpTo !== null && rate <= cents(approveUpTo)) return 'approved';
  if (rejectAbove !== null && rate > cents(rejectAbove)) return 'rejected';
  return null;
}

/** An order with what a decision on it depends on, stored or on its way in. */
interface Undecided {
  readonly order: Pick<Order, 'status' | 'contract' | 'submittedAt' | 'hrHistory'>;
  readonly employee: Found['employee'];
}

/**
 * The step that a rule takes with an order at an instant; null where it takes none, as with orders that are not under review. What
 * HR could not decide, such as to approve an order of a blocked employee, it does not decide either.
 */
export function automaticStep(rule: Rule, { order, employee }: Undecided, at: Date): Step | null {
  const decision = decideAutomatically(rule, order, at);
  if (decision === null) return null;
  const decided = decide(order, employee, { decision }, 'automatic');
  if (typeof decided === 'string') return null;
  return { to: decided.status, hrHistory: { ...decided.hrHistory, decidedAt: at.toISOString() } };
}

/** What a trial counts, as it goes on. */
type Tally = { -readonly [Name in keyof DecisionRuleTrial]: DecisionRuleTrial[Name] };

/** A trial that has seen no order yet. */
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

/** Tries a rule on one more order: what it would have decided at the instant at which the order came in. */
export function tryOn(tally: Tally, rule: Rule, order: Order): void {
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

const counts = { approved: 'wouldApprove', rejected: 'wouldReject', left: 'wouldLeave' } as const;

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
