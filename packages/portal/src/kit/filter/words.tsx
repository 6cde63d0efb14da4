import type { Operator } from '@kontor/contract/filter';
import { useLingui } from '@lingui/react/macro';
import { use } from 'react';
import type { ListField } from '../../api/lists.ts';
import type { FilterProblem } from './read.ts';
import { ValueWordsContext } from './value-words.ts';

/** Words for fields, operators and values. What has none is shown as the contract names it. */
export function useFilterWords() {
  const { t } = useLingui();
  const ofList = use(ValueWordsContext);
  const fields: Readonly<Record<string, string>> = {
    id: t`ID`,
    organizationId: t`Organization ID`,
    name: t`Name`,
    email: t`Email`,
    language: t`Language`,
    status: t`Status`,
    health: t`Health`,
    beingReplaced: t`Being replaced`,
    expiring: t`Expires within 30 days`,
    unused: t`Not used for 90 days`,
    wholeOrganization: t`Access to the whole organization`,
    createdAt: t`Created`,
    updatedAt: t`Changed`,
    expiresAt: t`Expires`,
    lastUsedAt: t`Last used`,
    lastSuccessAt: t`Last success`,
    noRecentActivitySince: t`No recent activity since`,
    lastFour: t`Last four characters`,
    createdBy: t`Created by`,
    requests: t`Requests (30 days)`,
    rejections: t`Rejected requests (30 days)`,
    lastSeenAt: t`Last used`,
    lastSignInAt: t`Last sign-in`,
    invitedUntil: t`Invitation expires`,
    decisionDays: t`Days to decide`,
    tenant: t`Company`,
    divisionId: t`Division`,
    parentId: t`Parent division`,
    employeeId: t`Person`,
    employeeNumber: t`Employee number`,
    firstName: t`First name`,
    lastName: t`Last name`,
    privateEmail: t`Private email`,
    phoneNumber: t`Phone`,
    street: t`Street and house number`,
    postalCode: t`Postcode`,
    city: t`Town`,
    countryCode: t`Country`,
    additionalInfo: t`Further information`,
    blocked: t`Blocked`,
    orderId: t`Order ID`,
    orderNumber: t`Order number`,
    submittedAt: t`Submitted`,
    incidentNumber: t`Number`,
    type: t`Kind of incident`,
    requestedSolution: t`Requested solution`,
    occurredOn: t`Happened`,
    effectiveFrom: t`First day of absence`,
    effectiveTo: t`Last day of absence`,
    description: t`Description`,
    policeReference: t`Reference of the police report`,
    editable: t`Can be changed`,
    order: t`Position`,
    costCenter: t`Cost centre`,
    address: t`Address`,
    actorType: t`Kind of actor`,
    actorId: t`User or key`,
    actorName: t`By`,
    action: t`Action`,
    targetType: t`Kind of target`,
    targetId: t`Target ID`,
    requestId: t`Request ID`,
    outcome: t`Outcome`,
    reason: t`Reason`,
    count: t`Number`,
    userAgent: t`Browser`,
    current: t`This session`,
  };
  const values: Readonly<Record<string, string>> = {
    de: t`German`,
    en: t`English`,
    true: t`Yes`,
    false: t`No`,
  };
  const common: Readonly<Record<Operator, string>> = {
    '=': t`is`,
    '!=': t`is not`,
    '>': t`is more than`,
    '>=': t`is at least`,
    '<': t`is less than`,
    '<=': t`is at most`,
    IN: t`is one of`,
    CONTAINS: t`contains`,
    STARTS_WITH: t`begins with`,
    ENDS_WITH: t`ends with`,
    'IS NULL': t`is empty`,
    'IS NOT NULL': t`is not empty`,
  };
  const ofTime: Readonly<Partial<Record<Operator, string>>> = {
    '>': t`is after`,
    '>=': t`is at or after`,
    '<': t`is before`,
    '<=': t`is at or before`,
  };
  return {
    field: (name: string) => fields[name] ?? name,
    value: (field: string, value: string) => ofList[field]?.[value] ?? values[value] ?? value,
    operator: (operator: Operator, type: ListField['type'] | undefined) =>
      ((type === 'date' || type === 'date-time') && ofTime[operator]) || common[operator],
  };
}

/** A filter error in the language of the page, with the message of the service below it. */
export function useProblemWords(): (problem: FilterProblem) => string {
  const { t } = useLingui();
  return problem => {
    const { position } = problem;
    switch (problem.code) {
      case 'INVALID_FILTER_SYNTAX':
        return position === null
          ? t`The filter is invalid.`
          : t`The filter is invalid at character ${position}.`;
      case 'UNSUPPORTED_FILTER_FIELD':
        return t`The list has no field with this name.`;
      case 'UNSUPPORTED_FILTER_OPERATOR':
        return t`A field cannot be compared in this way.`;
      default:
        return t`A value is invalid for its field.`;
    }
  };
}
