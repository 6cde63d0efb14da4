import { useLingui } from '@lingui/react/macro';
import type { AnswerOf, RequestOf } from '../api/ask.ts';
import { Status } from './status.tsx';

type Order = AnswerOf<'POST /orders/search'>['items'][number];
type Incident = AnswerOf<'POST /incidents/search'>['items'][number];
type Run = AnswerOf<'GET /payroll-runs/{id}'>['run'];
type Import = AnswerOf<'GET /employee-imports/{id}'>['import'];
type Payer = NonNullable<AnswerOf<'POST /incidents/{id}/leave'>['payer']>;
export type EndReason = RequestOf<'POST /orders/{id}/contract-end'>['body']['reason'];
type Kind = AnswerOf<'GET /employees/{id}/payroll-explanation'>['receipts'][number]['kind'];

export function useOrderStatusWords(): Record<Order['status'], string> {
  const { t } = useLingui();
  return {
    under_review: t`To decide`,
    approved: t`Approved`,
    rejected: t`Rejected`,
    cancelled: t`Cancelled`,
    expired: t`Expired`,
    ready_for_pickup: t`Ready for pickup`,
    active: t`Running`,
    completed: t`Ended`,
  };
}

const orderDots = {
  under_review: 'no_recent_activity',
  approved: 'being_replaced',
  rejected: 'failing',
  cancelled: 'inactive',
  expired: 'inactive',
  ready_for_pickup: 'being_replaced',
  active: 'active',
  completed: 'inactive',
} as const satisfies Record<Order['status'], string>;

export function OrderState({ status }: Pick<Order, 'status'>) {
  return <Status status={orderDots[status]}>{useOrderStatusWords()[status]}</Status>;
}

/** The models that an order has, such as "Nox Helium, Brose Lock". */
export function modelsOf({ products }: Pick<Order, 'products'>): string {
  return products
    .map(({ manufacturerName, model, articleGroupName }) =>
      [manufacturerName, model ?? articleGroupName].filter(Boolean).join(' '),
    )
    .join(', ');
}

export function useIncidentTypeWords(): Record<Incident['type'], string> {
  const { t } = useLingui();
  return {
    termination: t`Termination`,
    long_term_illness: t`Long-term illness`,
    maternity_leave: t`Maternity leave`,
    parental_leave: t`Parental leave`,
    unpaid_leave: t`Unpaid leave`,
    release: t`Release from work`,
    retirement: t`Retirement`,
    death: t`Death`,
    employer_change: t`Change of employer`,
    theft: t`Theft`,
    damage: t`Damage`,
    accident: t`Accident`,
    loss: t`Loss`,
    other: t`Something else`,
  };
}

export function useIncidentStatusWords(): Record<Incident['status'], string> {
  const { t } = useLingui();
  return {
    draft: t`Incomplete`,
    completed: t`Complete`,
    in_progress: t`In progress`,
    resolved: t`Resolved`,
    rejected: t`Rejected`,
    cancelled: t`Withdrawn`,
  };
}

const incidentDots = {
  draft: 'no_recent_activity',
  completed: 'being_replaced',
  in_progress: 'being_replaced',
  resolved: 'active',
  rejected: 'failing',
  cancelled: 'inactive',
} as const satisfies Record<Incident['status'], string>;

export function IncidentState({ status }: Pick<Incident, 'status'>) {
  return <Status status={incidentDots[status]}>{useIncidentStatusWords()[status]}</Status>;
}

function useRunWords(): Record<Run['status'], string> {
  const { t } = useLingui();
  return {
    computing: t`Being checked`,
    draft: t`Checked, not released`,
    releasing: t`Being released`,
    released: t`Released`,
    discarded: t`Discarded`,
  };
}

const runDots = {
  computing: 'being_replaced',
  draft: 'invited',
  releasing: 'being_replaced',
  released: 'active',
  discarded: 'inactive',
} as const satisfies Record<Run['status'], string>;

export function RunState({ status }: Pick<Run, 'status'>) {
  return <Status status={runDots[status]}>{useRunWords()[status]}</Status>;
}

function useImportWords(): Record<Import['status'], string> {
  const { t } = useLingui();
  return {
    uploaded: t`Uploaded`,
    planning: t`Being checked`,
    planned: t`Checked, not imported`,
    applying: t`Being imported`,
    applied: t`Imported`,
    discarded: t`Discarded`,
    failed: t`Failed`,
  };
}

const importDots = {
  uploaded: 'invited',
  planning: 'being_replaced',
  planned: 'invited',
  applying: 'being_replaced',
  applied: 'active',
  discarded: 'inactive',
  failed: 'failing',
} as const satisfies Record<Import['status'], string>;

export function ImportState({ status }: Pick<Import, 'status'>) {
  return <Status status={importDots[status]}>{useImportWords()[status]}</Status>;
}

/** The payers of amounts that a leave suspends. */
export function usePayerWords(): Record<Payer, string> {
  const { t } = useLingui();
  return {
    employee: t`The person`,
    employer: t`The company`,
    insurer: t`The insurance of the provider`,
    provider: t`The provider, by a pause`,
  };
}

/** The kinds of amounts of payroll. */
export function useKindWords(): Record<Kind, string> {
  const { t } = useLingui();
  return {
    salary_conversion: t`Salary conversion`,
    taxable_benefit: t`Taxable benefit`,
    employer_subsidy: t`Employer’s subsidy`,
  };
}

/** Why a contract ends early. */
export function useEndReasonWords(): Record<EndReason, string> {
  const { t } = useLingui();
  return {
    returned: t`The bike is given back`,
    purchase: t`The person buys the bike`,
    leaver: t`The person keeps the bike and pays elsewhere`,
    theft: t`The bike was stolen`,
    total_loss: t`The bike was destroyed`,
    death: t`The person has died`,
    other: t`Another reason`,
  };
}

/** Incidents after which a person is no longer paid here. */
export const departureTypes: readonly string[] = [
  'termination',
  'retirement',
  'death',
  'employer_change',
] satisfies Incident['type'][];

/** Incidents in which a person is away for a time. */
export const leaveTypes: readonly string[] = [
  'long_term_illness',
  'maternity_leave',
  'parental_leave',
  'unpaid_leave',
] satisfies Incident['type'][];
