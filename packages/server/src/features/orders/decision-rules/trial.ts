import type { DecisionRuleTrial, Order } from '@kontor/contract';
import { amount, monthlyRate } from '../contract.ts';
import { decideAutomatically, type Rule } from './rule.ts';

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
