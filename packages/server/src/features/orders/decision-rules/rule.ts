import { type DecisionRule, type DecisionRuleInput, type Order, unprocessable } from '@kontor/contract';
import { cents, monthlyRate } from '../contract.ts';
import { decide } from '../rules.ts';
import type { Found } from '../store.ts';
import type { Step } from '../transitions.ts';

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
