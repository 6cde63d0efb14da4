import { read, write } from '../../operation.ts';
import {
  appliedOrdersMaximum,
  DecisionRule,
  DecisionRuleApplication,
  DecisionRuleApplicationInput,
  DecisionRuleInput,
  DecisionRulePreview,
  DecisionRulePreviewQuery,
} from '../../resources/platform/decision-rule.ts';
import { ofOrganization, type PlatformOperation } from './operation.ts';

const path = '/organizations/{organizationId}/tenants/{id}/decision-rule';

const ofTenant = { tag: 'Decision rules', parameters: ofOrganization('Identifier of the tenant') } as const;
const reading = { ...read, ...ofTenant, permission: 'decision-rules:read' } as const;
const writing = { ...write, ...ofTenant, permission: 'decision-rules:write' } as const;

export const decisionRuleOperations = {
  getDecisionRule: {
    ...reading,
    path,
    summary: 'Get the decision rule of a tenant',
    description: 'Reads the rule by which orders of a tenant are decided automatically; 404 without one.',
    success: { status: 200, description: 'The rule', body: DecisionRule },
  },
  setDecisionRule: {
    ...writing,
    path,
    summary: 'Set the decision rule of a tenant',
    description:
      'Replaces the rule for incoming orders. Its decisions have `hrHistory.source` `automatic`. It approves no order of a blocked employee. Orders under review stay so until you apply the rule to them.',
    body: DecisionRuleInput,
    success: { status: 200, description: 'The rule, which holds from now on', body: DecisionRule },
    errors: ['VALIDATION_ERROR'],
  },
  removeDecisionRule: {
    ...writing,
    method: 'DELETE',
    path,
    summary: 'Remove the decision rule of a tenant',
    description: 'Removes the rule of a tenant: people decide on its orders. Past decisions stay.',
    success: { status: 200, description: 'The rule that held until now', body: DecisionRule },
  },
  applyDecisionRule: {
    ...writing,
    path: `${path}/application`,
    summary: 'Apply the decision rule of a tenant',
    description: `Applies the rule of a tenant to its orders under review: ${appliedOrdersMaximum} in the order of their identifiers, at one instant. Repeat with \`next\` as \`after\` until that is null. A repeated request decides nothing twice.`,
    body: DecisionRuleApplicationInput,
    success: { status: 200, description: 'The decisions', body: DecisionRuleApplication },
  },
  tryDecisionRule: {
    ...reading,
    path: `${path}/preview`,
    summary: 'Try a decision rule',
    description:
      'Applies any rule to past orders of a tenant as they came in, and compares the result with the decisions of people. It changes nothing, and ignores who was blocked at that time. Repeat with `next` as `after` until that is null, and add the counts.',
    query: DecisionRulePreviewQuery,
    success: { status: 200, description: 'The decisions of the rule', body: DecisionRulePreview },
    errors: ['VALIDATION_ERROR'],
  },
} as const satisfies Record<string, PlatformOperation>;
