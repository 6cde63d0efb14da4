import { useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';

export type IncidentDetails = AnswerOf<'GET /incidents/{id}'>;
export type IncidentReport = AnswerOf<'POST /incidents'>;
export type Incident = IncidentDetails['incident'];
export type Requirement = IncidentDetails['missing'][number];
export type Solution = NonNullable<Incident['requestedSolution']>;

export function useSolutionWords(): Record<Solution, string> {
  const { t } = useLingui();
  return {
    user_change: t`Hand over to another person`,
    employer_change: t`Hand over to the new employer`,
    early_purchase: t`Purchase before the end`,
    return: t`Return`,
    rate_protection: t`Rate protection`,
    repair: t`Repair`,
    replacement: t`Replacement`,
  };
}

/** Words for the changes of an incident in the audit. */
export function useChangeWords(): Readonly<Record<string, string>> {
  const { t } = useLingui();
  return {
    'incident.create': t`Reported`,
    'incident.update': t`Changed`,
    'incident.attach': t`Evidence added`,
    'incident.detach': t`Evidence removed`,
    'incident.record_leave': t`End, payer or bike recorded`,
    'incident.start': t`In progress`,
    'incident.resolve': t`Resolved`,
    'incident.reject': t`Rejected`,
    'incident.cancel': t`Withdrawn`,
    'incident.erase': t`Personal data erased`,
  };
}

/** Names of the fields that an incident may lack, as the form has them. */
export function useRequirementWords(): Record<Requirement, string> {
  const { t } = useLingui();
  return {
    orderId: t`Affected order`,
    occurredOn: t`Day it happened`,
    effectiveFrom: t`First day of absence`,
    description: t`Description`,
    policeReference: t`Reference of the police report`,
  };
}
