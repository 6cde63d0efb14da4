import {
  ApiError,
  appliedOrdersMaximum,
  type DecisionRule,
  type DecisionRuleApplication,
  type DecisionRuleInput,
  type DecisionRulePreview,
  type Order,
  unprocessable,
} from '@kontor/contract';
import { amount, cents } from '../../../lib/money.ts';
import { monthlyRate } from '../contract.ts';
import { automatic, decide } from '../rules.ts';
import type { Found } from '../store.ts';
import type { Step } from '../transitions.ts';

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

/** The decision of a rule at an instant. Null leaves the order to a user: one that is too old, or without a contract and so without a rate. */
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

interface Undecided {
  readonly order: Pick<Order, 'status' | 'contract' | 'submittedAt' | 'hrHistory'>;
  readonly employee: Found['employee'];
}

/** Returns null also for a step that HR could not take, such as approving an order of a blocked employee. */
export function automaticStep(rule: Rule, { order, employee }: Undecided, at: Date): Step | null {
  const decision = decideAutomatically(rule, order, at);
  if (decision === null) return null;
  const decided = decide(order, employee, { decision }, automatic);
  if (decided instanceof ApiError) return null;
  return { to: decided.status, hrHistory: { ...decided.hrHistory, decidedAt: at.toISOString() } };
}

interface Applied {
  readonly moves: readonly { readonly order: Order; readonly step: Step }[];
  readonly application: DecisionRuleApplication;
}

/** Applies a rule to at most {@link appliedOrdersMaximum} orders at an instant. A null rule decides nothing. */
export function applyRule(rule: Rule | null, found: readonly Found[], at: Date): Applied {
  const moves = found.flatMap(({ order, employee }) => {
    const step = rule && automaticStep(rule, { order, employee }, at);
    return step ? [{ order, step }] : [];
  });
  const approved = moves.filter(({ step }) => step.to === 'approved').length;
  const application = {
    inspected: found.length,
    approved,
    rejected: moves.length - approved,
    left: found.length - moves.length,
    next: found.length === appliedOrdersMaximum ? found.at(-1)!.order.id : null,
  };
  return { moves, application };
}

type Tally = { -readonly [Name in keyof DecisionRulePreview]: DecisionRulePreview[Name] };

export function beginDryRun(): Tally {
  return {
    inspected: 0,
    wouldApprove: 0,
    wouldReject: 0,
    wouldLeave: 0,
    decidedByHand: 0,
    agreed: 0,
    differed: 0,
    differing: [],
    next: null,
  };
}

const counts = { approved: 'wouldApprove', rejected: 'wouldReject', left: 'wouldLeave' } as const;

/** Adds an order to the preview of a rule, as of the instant of the order's creation. */
export function tryRule(tally: Tally, rule: Rule, order: Order): void {
  const wouldBe = decideAutomatically(rule, order, new Date(order.createdAt));
  tally.inspected++;
  tally[counts[wouldBe ?? 'left']]++;
  const { hrHistory } = order;
  if (hrHistory === null || hrHistory.source === 'automatic') return;
  tally.decidedByHand++;
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
