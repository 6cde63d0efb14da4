import Type, { type Static } from 'typebox';
import { Count, Id, Instant, Integer, NamedObject, orNull, Text } from '../../schema.ts';
import { Money } from '../money.ts';
import { DecisionRuleInput } from '../platform/decision-rule.ts';
import { Order, OrderHrHistory } from '../public/order.ts';

export const DecisionRuleChange = NamedObject(
  'DecisionRuleChange',
  'A rule as a whole, in place of the one that the user has read',
  {
    ...DecisionRuleInput.properties,
    expectedVersion: Type.Optional(
      Integer(
        '`version` of the rule as the user has read it; 0: there was none. The change is rejected if another one came between',
        1,
        { minimum: 0 },
      ),
    ),
  },
);
export type DecisionRuleChange = Static<typeof DecisionRuleChange>;

/** Orders that a sample of a rule looks at. */
export const sampledOrdersMaximum = 40;

const { status } = Order.properties;
const { decision, source } = OrderHrHistory.properties;

const SampledOrder = NamedObject('SampledOrder', 'A past order, and what a rule would have decided', {
  orderId: Id('Order'),
  orderNumber: Text('Number of the order', 'A-2026-000123'),
  submittedAt: Instant('When it was submitted'),
  status,
  monthlyRate: orNull(Money(2, 'Rates of the order together, a month'), 'Null: it has no contract'),
  decision: orNull(decision, 'Decision that was made; null: none'),
  source: orNull(source, 'What decided; null: no decision'),
  wouldBe: orNull(decision, 'Decision of the rule; null: it leaves the order to people'),
});

export const DecisionRuleSample = NamedObject('DecisionRuleSample', 'A rule on the last orders of a tenant', {
  inspected: Count('Orders that were looked at', 40),
  decided: Count('Number that the rule would have decided', 31),
  wouldApprove: Count('Number that the rule would have approved', 29),
  wouldReject: Count('Number that the rule would have rejected', 2),
  items: Type.Array(SampledOrder, {
    maxItems: sampledOrdersMaximum,
    description: `The last ${sampledOrdersMaximum} orders, the newest first`,
  }),
});
export type DecisionRuleSample = Static<typeof DecisionRuleSample>;
