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
      'Sets the rule for orders that come in from now on, in place of the one before. What it decides has `hrHistory.source` `automatic`; it approves no order of a blocked employee. Orders that are under review stay so until it is applied to them.',
    body: DecisionRuleInput,
    success: { status: 200, description: 'The rule, which holds from now on', body: DecisionRule },
    errors: ['VALIDATION_ERROR'],
  },
  removeDecisionRule: {
    ...writing,
    method: 'DELETE',
    path,
    summary: 'Remove the decision rule of a tenant',
    description: 'Leaves all decisions on orders of a tenant to people; what was decided stays.',
    success: { status: 200, description: 'The rule that held until now', body: DecisionRule },
  },
  applyDecisionRule: {
    ...writing,
    path: `${path}/application`,
    summary: 'Apply the decision rule of a tenant',
    description: `Decides by the rule of a tenant on its orders that are under review, ${appliedOrdersMaximum} in the order of their identifiers, all at the same instant. Ask again with \`next\` as \`after\` until that is null. Who asks twice decides nothing twice.`,
    body: DecisionRuleApplicationInput,
    success: { status: 200, description: 'What was decided', body: DecisionRuleApplication },
  },
  tryDecisionRule: {
    ...reading,
    path: `${path}/preview`,
    summary: 'Try a decision rule',
    description:
      'Says what a rule, which need not be the one that holds, would have decided on orders of a tenant when they came in, in the order of their identifiers, and how that differs from what people have decided. It changes nothing, and does not know who was blocked then. Ask again with `next` as `after` until that is null, and add up.',
    query: DecisionRulePreviewQuery,
    success: { status: 200, description: 'What it would have decided', body: DecisionRulePreview },
    errors: ['VALIDATION_ERROR'],
  },
} as const satisfies Record<string, PlatformOperation>;
