import Type, { type Static } from 'typebox';
import { Id, Instant, nullable } from '../../schema.ts';
import { Money } from '../money.ts';
import { OrderHrHistory } from '../order.ts';

/** Maximum orders that one request decides, and maximum orders in a preview of a rule. */
export const appliedOrdersMaximum = 1000;
export const triedOrdersMaximum = 10_000;

/** Maximum days of a rule: more than the age of any order. */
const withinDaysMaximum = 36_500;

const approves =
  'Approves an order whose rates together (leasing, insurance and service, subsidies included) are at most this a month';
const rejects = 'Rejects an order whose rates together are more than this a month';
const WithinDays = (more = '') =>
  Type.Integer({
    minimum: 1,
    maximum: withinDaysMaximum,
    description: `Decides only on orders that were submitted at most so many days before${more}`,
    examples: [30],
  });

const properties = {
  approveUpTo: nullable(Money(2, `${approves}; null: approves none`)),
  rejectAbove: nullable(Money(2, `${rejects}; null: rejects none`)),
  withinDays: nullable(WithinDays('; null: whatever their age')),
};

export const DecisionRule = Type.Object(
  {
    tenant: Id('Tenant whose orders it decides on'),
    version: Type.Integer({
      minimum: 1,
      description: 'Counts the rules of the tenant; removing one counts, too',
      examples: [1],
    }),
    ...properties,
    changedAt: Instant('When the rule was set, as it is'),
  },
  {
    $id: 'DecisionRule',
    additionalProperties: false,
    description: 'By which rule orders of a tenant are decided automatically',
  },
);
export type DecisionRule = Static<typeof DecisionRule>;

export const DecisionRuleInput = Type.Object(
  {
    approveUpTo: Type.Optional(properties.approveUpTo),
    rejectAbove: Type.Optional(properties.rejectAbove),
    withinDays: Type.Optional(properties.withinDays),
  },
  {
    $id: 'DecisionRuleInput',
    additionalProperties: false,
    description:
      'A rule as a whole, with `approveUpTo`, `rejectAbove` or both; what is absent is null. An order between the two is left to people',
  },
);
export type DecisionRuleInput = Static<typeof DecisionRuleInput>;

const after =
  'Begins behind the order with this identifier: `next` of the answer before. Absent: at the first';

export const DecisionRuleApplicationInput = Type.Object(
  { after: Type.Optional(nullable(Id(after))) },
  {
    $id: 'DecisionRuleApplicationInput',
    additionalProperties: false,
    description: 'Where to begin',
  },
);

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });
const next = nullable(
  Id('Identifier of the last order that was looked at, for `after`; null when there are no more'),
);

export const DecisionRuleApplication = Type.Object(
  {
    inspected: count(`Orders under review that were looked at, at most ${appliedOrdersMaximum}`, 3),
    approved: count('Orders that were approved', 1),
    rejected: count('Orders that were rejected', 1),
    left: count('Orders that are left to people', 1),
    next,
  },
  {
    $id: 'DecisionRuleApplication',
    additionalProperties: false,
    description: 'What a rule has decided on orders under review',
  },
);
export type DecisionRuleApplication = Static<typeof DecisionRuleApplication>;

export const DecisionRulePreviewQuery = Type.Object(
  {
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
  },
  { additionalProperties: false },
);

const { decision } = OrderHrHistory.properties;

const DifferingDecision = Type.Object(
  {
    orderId: Id('Order'),
    orderNumber: Type.String({ description: 'Number of the order', examples: ['A-2026-000123'] }),
    monthlyRate: Money(2, 'Rates of the order together, a month'),
    decision,
    decidedAt: Instant('When that was'),
    wouldBe: decision,
  },
  {
    $id: 'DifferingDecision',
    additionalProperties: false,
    description: 'An order that a rule would have decided otherwise (`wouldBe`) than people did (`decision`)',
  },
);

export const DecisionRulePreview = Type.Object(
  {
    inspected: count('Orders that were looked at', 1000),
    wouldApprove: count('Of these the rule would have approved', 700),
    wouldReject: count('Of these the rule would have rejected', 100),
    wouldLeave: count('Of these the rule would have left to people', 200),
    decidedByHand: count(
      'Of these were decided by people: in the portal, or by systems of the customer',
      800,
    ),
    agreed: count('Of these the rule would have decided the same', 650),
    differed: count('Of these the rule would have decided otherwise', 10),
    differing: Type.Array(DifferingDecision, {
      maxItems: triedOrdersMaximum,
      description: 'Orders that it would have decided otherwise',
    }),
    next,
  },
  {
    $id: 'DecisionRulePreview',
    additionalProperties: false,
    description: 'What a rule would have decided on orders when they came in',
  },
);
export type DecisionRulePreview = Static<typeof DecisionRulePreview>;
