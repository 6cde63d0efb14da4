import Type, { type Static } from 'typebox';
import { Order, OrderHrHistory } from './orders.ts';
import { Money } from '../money.ts';
import { read, write } from '../operation.ts';
import { ofOrganization, platformOperation } from '../platform-operation.ts';
import { ofPortal, portalOperation } from '../portal-operation.ts';
import {
  ClosedObject,
  Count,
  Id,
  Instant,
  Integer,
  NamedObject,
  nullable,
  optionals,
  orNull,
  Text,
} from '../schema.ts';

/** Maximum orders that one request decides, and maximum orders in a preview of a rule. */
export const appliedOrdersMaximum = 1000;
export const triedOrdersMaximum = 10_000;

/** Maximum days of a rule: more than the age of any order. */
const withinDaysMaximum = 36_500;

const approves =
  'Approves an order with at most this monthly sum of rates (leasing, insurance and service, with subsidies)';
const rejects = 'Rejects an order with more than this monthly sum of rates';
const WithinDays = (more = '') =>
  Integer(`Decides only on orders submitted within this number of days${more}`, 30, {
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
    version: Integer('Counts the rules of the tenant; a removal also counts', 1, { minimum: 1 }),
    ...properties,
    changedAt: Instant('When the rule was set, as it is'),
  },
);
export type DecisionRule = Static<typeof DecisionRule>;

export const DecisionRuleInput = NamedObject(
  'DecisionRuleInput',
  'A whole rule with `approveUpTo`, `rejectAbove` or both; an absent one is null. Orders between the two are decided manually',
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
    left: Count('Orders to decide manually', 1),
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

const { decision, source } = OrderHrHistory.properties;

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
    decidedByHand: Count('Orders decided in the portal or by systems of the customer', 800),
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

const path = '/organizations/{organizationId}/tenants/{id}/decision-rule';

const ofTenant = { tag: 'Decision rules', parameters: ofOrganization('Identifier of the tenant') } as const;
const reading = { ...read, ...ofTenant, permission: 'decision-rules:read' } as const;
const writing = { ...write, ...ofTenant, permission: 'decision-rules:write' } as const;

export const getDecisionRule = platformOperation({
  ...reading,
  path,
  summary: 'Get the decision rule of a tenant',
  description: 'Reads the rule by which orders of a tenant are decided automatically; 404 without one.',
  success: { status: 200, description: 'The rule', body: DecisionRule },
});

export const setDecisionRule = platformOperation({
  ...writing,
  path,
  summary: 'Set the decision rule of a tenant',
  description:
    'Replaces the rule for incoming orders. Its decisions have `hrHistory.source` `automatic`. It approves no order of a blocked employee. Orders under review stay so until you apply the rule to them.',
  body: DecisionRuleInput,
  success: { status: 200, description: 'The rule, which holds from now on', body: DecisionRule },
  errors: ['VALIDATION_ERROR'],
});

export const removeDecisionRule = platformOperation({
  ...writing,
  method: 'DELETE',
  path,
  summary: 'Remove the decision rule of a tenant',
  description: 'Removes the rule of a tenant: its orders are decided manually. Past decisions stay.',
  success: { status: 200, description: 'The rule that held until now', body: DecisionRule },
});

export const applyDecisionRule = platformOperation({
  ...writing,
  path: `${path}/application`,
  summary: 'Apply the decision rule of a tenant',
  description: `Applies the rule of a tenant to its orders under review: ${appliedOrdersMaximum} in the order of their identifiers, at one instant. Repeat with \`next\` as \`after\` until that is null. A repeated request decides nothing twice.`,
  body: DecisionRuleApplicationInput,
  success: { status: 200, description: 'The decisions', body: DecisionRuleApplication },
});

export const tryDecisionRule = platformOperation({
  ...reading,
  path: `${path}/preview`,
  summary: 'Try a decision rule',
  description:
    'Applies any rule to past orders of a tenant as they came in, and compares the result with the decisions of people. It changes nothing, and ignores who was blocked at that time. Repeat with `next` as `after` until that is null, and add the counts.',
  query: DecisionRulePreviewQuery,
  success: { status: 200, description: 'The decisions of the rule', body: DecisionRulePreview },
  errors: ['VALIDATION_ERROR'],
});

export const DecisionRuleChange = ClosedObject({
  ...DecisionRuleInput.properties,
  expectedVersion: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type DecisionRuleChange = Static<typeof DecisionRuleChange>;

/** Orders that a sample of a rule looks at. */
export const sampledOrdersMaximum = 40;

const { status } = Order.properties;

const SampledOrder = ClosedObject({
  orderId: Id(),
  orderNumber: Text(),
  submittedAt: Instant(),
  status,
  monthlyRate: orNull(Money(2)),
  decision: orNull(decision),
  source: orNull(source),
  wouldBe: orNull(decision),
});

export const DecisionRuleSample = ClosedObject({
  inspected: Count(),
  decided: Count(),
  wouldApprove: Count(),
  wouldReject: Count(),
  items: Type.Array(SampledOrder, { maxItems: sampledOrdersMaximum }),
});
export type DecisionRuleSample = Static<typeof DecisionRuleSample>;

const ofAdmin = { permission: 'COMPANY_ADMIN' } as const;

export const getPortalDecisionRule = ofPortal(getDecisionRule, ofAdmin);

export const setPortalDecisionRule = ofPortal(setDecisionRule, {
  ...ofAdmin,
  needsFreshSignIn: true,
  body: DecisionRuleChange,
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});

export const removePortalDecisionRule = ofPortal(removeDecisionRule, {
  ...ofAdmin,
  needsFreshSignIn: true,
});

export const samplePortalDecisionRule = portalOperation({
  ...ofPortal(tryDecisionRule, {
    ...ofAdmin,
    path: '/tenants/{id}/decision-rule/sample',
  }),
  method: 'POST',
  changesNothing: true,
  query: ofPortal(getDecisionRule, {}).query,
  body: DecisionRuleInput,
  success: { status: 200, body: DecisionRuleSample },
});
