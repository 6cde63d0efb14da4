import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../api/ask.ts';
import { identityQuery } from '../../api/queries.ts';

export type RunDetails = AnswerOf<'GET /payroll-runs/{id}'>;
export type Run = RunDetails['run'];
export type Runs = AnswerOf<'GET /tenants/{id}/payroll-runs'>;
export type Finding = AnswerOf<'GET /payroll-runs/{id}/findings'>['items'][number];
export type Receipt = AnswerOf<'GET /employees/{id}/payroll-explanation'>['receipts'][number];

export type Format = Run['formats'][number];
export type Kind = Receipt['kind'];

/** Whether a run is a further one of its month, which exports only what is left. */
export function isAgain({ sums }: NonNullable<Run['summary']>): boolean {
  return sums.some(({ amount, total }) => amount !== total);
}

/** Whether the user may check and discard months, and settle amounts. */
export function useMayRun(): boolean {
  return useQuery(identityQuery).data?.user.permissions.includes('PAYROLL_RUN') ?? false;
}

export function useMeaningWords(): Record<NonNullable<Receipt['meaning']>, string> {
  const { t } = useLingui();
  return { paid_elsewhere: t`Paid elsewhere`, not_owed: t`Not owed` };
}

export function useFormatWords(): Record<Format, string> {
  const { t } = useLingui();
  return { csv: t`CSV file`, datev_lodas: 'DATEV LODAS', datev_lug: 'DATEV Lohn und Gehalt' };
}

/** The words for what has happened to a month. When two act at once, the second one reads who was first. */
export function useOutcomeWords() {
  const { t } = useLingui();
  const self = useQuery(identityQuery).data?.user.id;
  return ({ status, createdBy, releasedBy }: Run): string => {
    if (status === 'computing' || status === 'draft')
      return createdBy.id === self
        ? t`The month is checked again.`
        : t`${createdBy.name} has already checked the month again.`;
    if (releasedBy === null || status !== 'released') return t`The month is being released.`;
    return releasedBy.id === self
      ? t`The month is released.`
      : t`${releasedBy.name} has already released the month.`;
  };
}

export function useRuleWords(): Record<NonNullable<Receipt['computation']>['rule'], string> {
  const { t } = useLingui();
  return {
    full_month: t`A full month: the whole rate`,
    part_month: t`A part of a month: by days`,
    thirty_days: t`A part of a month: days of 30`,
    whole_month: t`A part of a month: the whole rate, as your company deducts whole months`,
    next_month: t`A part of a month: deductions begin with the next month`,
    remainder: t`The last month of the term: the remaining balance of the term`,
    after_term: t`Days after the term: by days`,
    whole_benefit: t`The benefit of a month is always owed in full`,
  };
}

/** The meaning of each finding, and its remedy. */
export function useFindingWords(): Record<Finding['code'], string> {
  const { t } = useLingui();
  return {
    unmapped_kind: t`A kind of amount has no wage type yet. Decide in the payroll settings how it is exported.`,
    currency: t`The contract is not in euros.`,
    adviser_number: t`The adviser number of DATEV is missing in the payroll settings.`,
    client_number: t`The client number of DATEV is missing in the payroll settings.`,
    wage_type: t`One of the chosen formats does not accept this wage type. Change it in the payroll settings.`,
    processing_key: t`LODAS needs a processing key. Add it in the payroll settings.`,
    characters: t`DATEV cannot read some characters of this field. Change them.`,
    no_contract: t`The order has no contract yet, or a day of it is missing.`,
    s_pedelec: t`The bike is an S-pedelec. The benefit is exported. Enter the part for the way to work in the payroll system: 0.03 % of a quarter of the list price for each kilometre.`,
    personnel_number: t`The person has no number that the payroll system accepts. Enter the employee number.`,
    cost_center: t`One of the chosen formats does not accept this cost centre. Change it in the division.`,
    amount: t`The amount is too large for a format.`,
    correction_out_of_range: t`DATEV accepts corrections of this year and the last one only. Correct it there. If the amount stays open, settle it here.`,
    after_cut_off: t`The order changed after the cut-off day. It is in the next run.`,
    leave_rule: t`No rule says whether this leave suspends an amount. It continues until you decide in the payroll settings.`,
    blocked: t`The person is blocked, but the order goes on.`,
    left: t`The employment has ended, but the order goes on. Was a last day agreed?`,
    retired: t`The person has retired, but the order goes on. Was a last day agreed?`,
    deceased: t`The person has died, but the order goes on. Was a last day agreed?`,
    employer_changed: t`The person has changed the employer, but the order goes on. Was a last day agreed?`,
    leave_open: t`A leave suspends amounts and has no end yet. Is the person still away?`,
    leave_before_contract: t`A leave begins before the contract. Are its dates right?`,
    leave_far: t`A leave begins or ends more than a year away from this month. Are its dates right?`,
    leave_takes_back: t`A leave takes back released months. Are its dates right?`,
    end_takes_back: t`An early end takes back released months. Is the last day right?`,
    conversion_bound: t`The conversions of the person are together above the bound of the company.`,
    skipped_month: t`This month was not released. Its amounts are exported late with this one.`,
    paid_elsewhere: t`More was paid elsewhere than is owed. Settle the difference there, and record that here.`,
    number_changed: t`The employee number differs from the exported one. If the exported one was wrong, reverse these amounts.`,
    reversal: t`Booked anew: amounts that were released under other numbers`,
    late: t`Amounts of earlier months that were not exported yet. Tax law accepts only conversions that were agreed before the pay was due.`,
    correction: t`Corrections of earlier months`,
    changed_after_cut_off: t`Changed after the cut-off day: exported as before, the change is in the next run`,
    suspended: t`Suspended by a leave`,
    end_after_term: t`The contract ends after its term`,
    starts: t`New this month`,
    stops: t`No longer owed this month`,
    changes: t`Differs from the month before`,
  };
}
