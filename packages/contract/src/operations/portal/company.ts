import { DecisionRuleChange, DecisionRuleSample } from '../../resources/portal/decision-rule.ts';
import { DecisionRuleInput } from '../../resources/platform/decision-rule.ts';
import { dataSubjectOperations } from '../platform/data-subjects.ts';
import { decisionRuleOperations } from '../platform/decision-rules.ts';
import { ofPortal, type PortalOperation } from './operation.ts';

const ofAdmin = { permission: 'COMPANY_ADMIN' } as const;

export const companyOperations = {
  getPortalDecisionRule: ofPortal(decisionRuleOperations.getDecisionRule, ofAdmin),
  setPortalDecisionRule: ofPortal(decisionRuleOperations.setDecisionRule, {
    ...ofAdmin,
    needsFreshSignIn: true,
    description: `${decisionRuleOperations.setDecisionRule.description} Takes a fresh sign-in.`,
    body: DecisionRuleChange,
    errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
  }),
  removePortalDecisionRule: ofPortal(decisionRuleOperations.removeDecisionRule, {
    ...ofAdmin,
    needsFreshSignIn: true,
    description: `${decisionRuleOperations.removeDecisionRule.description} Takes a fresh sign-in.`,
  }),
  samplePortalDecisionRule: {
    ...ofPortal(decisionRuleOperations.tryDecisionRule, {
      ...ofAdmin,
      path: '/tenants/{id}/decision-rule/sample',
      summary: 'Try a decision rule on the last orders',
      description:
        'Applies any rule to the last orders of a tenant as they came in, and lists them. It changes nothing, and ignores who was blocked at that time.',
    }),
    method: 'POST',
    changesNothing: true,
    query: ofPortal(decisionRuleOperations.getDecisionRule, {}).query,
    body: DecisionRuleInput,
    success: { status: 200, description: 'The decisions of the rule', body: DecisionRuleSample },
  },
  getPortalTenantDueData: ofPortal(dataSubjectOperations.getTenantRetention, {
    ...ofAdmin,
    path: '/tenants/{id}/due-data',
    tag: 'Retention',
    summary: 'Count the data of a tenant that can be erased',
    description:
      'Counts the blocked employees of a tenant who can be erased, and the others with the next date. It erases nothing.',
  }),
} as const satisfies Record<string, PortalOperation>;
