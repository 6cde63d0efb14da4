import {
  type DecisionRuleSample,
  getPortalDecisionRule,
  type Order,
  removePortalDecisionRule,
  sampledOrdersMaximum,
  samplePortalDecisionRule,
  setPortalDecisionRule,
} from '@kontor/contract';
import { implement } from '../../../http/implement.ts';
import { ok, type Route } from '../../../http/route.ts';
import { amount } from '../../../lib/money.ts';
import { monthlyRate } from '../contract.ts';
import { orderResource } from '../mapping.ts';
import { getRule, type Parts, placeOf, readTenantRule, removeRule, setRule } from './platform-routes.ts';
import { completeRule, decideAutomatically, type Rule } from './rule.ts';
import { readLastOrders } from './store.ts';

/** Rules as company admins set them, by the rules of the platform API. */
export function portalDecisionRuleRoutes(parts: Parts): Route[] {
  return [
    implement(getPortalDecisionRule, call => getRule(parts.reads, call)),
    implement(setPortalDecisionRule, call => setRule(parts, call)),
    implement(removePortalDecisionRule, call => removeRule(parts, call)),
    implement(samplePortalDecisionRule, async call => {
      await readTenantRule(parts.reads, call);
      const rule = completeRule(call.body);
      const docs = await readLastOrders(parts.reads, placeOf(call), sampledOrdersMaximum);
      const items = docs.map(doc => sampled(rule, orderResource.parse(doc)));
      const count = (decision: string) => items.filter(({ wouldBe }) => wouldBe === decision).length;
      const [wouldApprove, wouldReject] = [count('approved'), count('rejected')];
      return ok(
        JSON.stringify({
          inspected: items.length,
          decided: wouldApprove + wouldReject,
          wouldApprove,
          wouldReject,
          items,
        } satisfies DecisionRuleSample),
      );
    }),
  ];
}

/** As of the instant of the order's creation. */
function sampled(rule: Rule, order: Order): DecisionRuleSample['items'][number] {
  const { id: orderId, orderNumber, submittedAt, status, contract, hrHistory } = order;
  return {
    orderId,
    orderNumber,
    submittedAt,
    status,
    monthlyRate: contract && amount(monthlyRate(contract)),
    decision: hrHistory?.decision ?? null,
    source: hrHistory?.source ?? null,
    wouldBe: decideAutomatically(rule, order, new Date(order.createdAt)),
  };
}
