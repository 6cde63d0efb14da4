import Type, { type Static } from 'typebox';
import {
  ClosedObject,
  Count,
  Id,
  Instant,
  Integer,
  NamedObject,
  nullable,
  optionals,
  Text,
} from '../../schema.ts';
import { Money } from '../money.ts';
import { OrderHrHistory } from '../public/order.ts';

/** Maximum orders that one request decides, and maximum orders in a preview of a rule. */
export const appliedOrdersMaximum = 1000;
export const triedOrdersMaximum = 10_000;

/** Maximum days of a rule: more than the age of any order. */
const withinDaysMaximum = 36_500;

const approves =
  'Approves an order with at most this monthly sum of rates (leasing, insurance and service, with subsidies)';
const rejects = 'Rejects an order with more than this monthly sum of rates';
const WithinDays = (more = '') =>
  Integer(`Decides only on orders submitted within so many days${more}`, 30, {
    minimum: 1,
    maximum: withinDaysMaximum,
  });

const properties = {
  approveUpTo: nullable(Money(2, `${approves}; null: approves none`)),
  rejectAbove: nullable(Money(2, `${rejects}; null: rejects none`)),
  withinDays: nullable(WithinDays('; null: whatever their age')),
};

export const DecisionRule = NamedObject(
  'DecisionRule',
  'The rule that decides on orders of a tenant automatically',
  {
    tenant: Id('Tenant of the rule'),
    version: Integer('Counts the rules of the tenant; removing one counts, too', 1, { minimum: 1 }),
    ...properties,
    changedAt: Instant('When the rule was set, as it is'),
  },
);
export type DecisionRule = Static<typeof DecisionRule>;

export const DecisionRuleInput = NamedObject(
  'DecisionRuleInput',
  'A whole rule with `approveUpTo`, `rejectAbove` or both; an absent one is null. People decide on orders between the two',
  optionals(properties),
);
export type DecisionRuleInput = Static<typeof DecisionRuleInput>;

const after =
  'Begins behind the order with this identifier: `next` of the answer before. Absent: at the first';

export const DecisionRuleApplicationInput = NamedObject('DecisionRuleApplicationInput', 'Where to begin', {
  after: Type.Optional(nullable(Id(after))),
});

const next = nullable(Id('Identifier of the last inspected order, for `after`; null when there are no more'));

export const DecisionRuleApplication = NamedObject(
  'DecisionRuleApplication',
  'Decisions of a rule on orders under review',
  {
    inspected: Count(`Inspected orders under review, at most ${appliedOrdersMaximum}`, 3),
    approved: Count('Orders that were approved', 1),
    rejected: Count('Orders that were rejected', 1),
    left: Count('Orders that people decide on', 1),
    next,
  },
);
export type DecisionRuleApplication = Static<typeof DecisionRuleApplication>;

export const DecisionRulePreviewQuery = ClosedObject({
  approveUpTo: Type.Optional(Money(2, approves)),
  rejectAbove: Type.Optional(Money(2, rejects)),
  withinDays: Type.Optional(WithinDays()),
  after: Type.Optional(Id(after)),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: triedOrdersMaximum,
      default: 1000,
      description: 'Most orders to look at',
    }),
  ),
});

const { decision } = OrderHrHistory.properties;

const DifferingDecision = NamedObject(
  'DifferingDecision',
  'An order that a rule would have decided otherwise (`wouldBe`) than a person (`decision`)',
  {
    orderId: Id('Order'),
    orderNumber: Text('Number of the order', 'A-2026-000123'),
    monthlyRate: Money(2, 'Rates of the order together, a month'),
    decision,
    decidedAt: Instant('When that was'),
    wouldBe: decision,
  },
);

export const DecisionRulePreview = NamedObject(
  'DecisionRulePreview',
  'Decisions that a rule would have made on incoming orders',
  {
    inspected: Count('Inspected orders', 1000),
    wouldApprove: Count('Number that the rule would have approved', 700),
    wouldReject: Count('Number that the rule would have rejected', 100),
    wouldLeave: Count('Number that the rule would not have decided', 200),
    decidedByHand: Count('Orders that people decided, in the portal or by systems of the customer', 800),
    agreed: Count('Number of equal decisions', 650),
    differed: Count('Number of other decisions', 10),
    differing: Type.Array(DifferingDecision, {
      maxItems: triedOrdersMaximum,
      description: 'Orders that it would have decided otherwise',
    }),
    next,
  },
);
export type DecisionRulePreview = Static<typeof DecisionRulePreview>;
