import { useLingui } from '@lingui/react/macro';
import { useTenantWords } from '../../api/queries.ts';
import { useKindWords, usePayerWords } from '../hr-words.tsx';
import { usePermissionWords } from '../permission-words.tsx';

/** The choices of payroll settings. */
export function usePayrollChoices() {
  const { t } = useLingui();
  return {
    personnelNumbers: {
      payroll: t`Numbers of the payroll system, 1 to 99999`,
      company: t`Numbers of the company`,
    },
    partMonth: {
      calendar_days: t`By calendar days`,
      thirty_days: t`By days of a month of 30`,
      whole_month: t`In full`,
      next_month: t`From the first whole month, the last one in full`,
    },
    lugCorrections: {
      two_years: t`This and the previous year, as LODAS`,
      any_month: t`Each released month`,
    },
    sign: { plus: t`Plus`, minus: t`Minus` },
    effect: { suspend: t`Is suspended`, continue: t`Continues` },
  } as const;
}

/** The choices for a select field. */
export function optionsOf(choices: Readonly<Record<string, string>>) {
  return Object.entries(choices).map(([value, label]) => ({ value, label }));
}

/** Names of settings and of other fields in the audit log, including nested ones. */
export function useSettingWords(): Readonly<Record<string, string>> {
  const { t } = useLingui();
  const kinds = useKindWords();
  return {
    adviserNumber: t`DATEV adviser number`,
    approveUpTo: t`Approve up to a month`,
    attachments: t`Files`,
    auditDays: t`Keep the audit log (days)`,
    benefitProRata: t`Export the taxable benefit of a part month by days`,
    changesBySecondActor: t`A second person must confirm settlements and changes of these settings`,
    clientNumber: t`DATEV client number`,
    contract: t`Contract`,
    conversionBound: t`Ask above conversions of a person`,
    cutOffDay: t`Cut-off day`,
    days: t`Keep the audit log (days)`,
    defaultKeyDays: t`Default lifetime in days`,
    employeeHistoryDays: t`History of changes in days`,
    employerSubsidy: kinds.employer_subsidy,
    expectedIntervalSeconds: t`Expected interval in seconds`,
    export: t`Is exported`,
    firstPeriod: t`First month`,
    from: t`From month`,
    hrHistory: t`Decision`,
    hrTenants: t`Companies of HR`,
    kinds: t`Kinds of amounts`,
    leaves: t`Leaves`,
    longTermIllness: t`Long-term illness`,
    lugCorrections: t`Corrections in DATEV Lohn und Gehalt`,
    maternityLeave: t`Maternity leave`,
    maxKeyDays: t`Maximum lifetime in days`,
    minPasswordLength: t`Minimum length of passwords`,
    otherDays: t`Keep other orders and incidents (days)`,
    parentalLeave: t`Parental leave`,
    partMonth: t`First and last month of a contract`,
    passkeyPermissions: t`Require a passkey of users with`,
    payer: t`Who pays instead`,
    permissions: t`Permissions`,
    personnelNumbers: t`Employee numbers`,
    processingKey: t`Processing key (LODAS)`,
    rejectAbove: t`Reject above a month`,
    releaseBySecondActor: t`A second person must release a month`,
    salaryConversion: kinds.salary_conversion,
    sign: t`Sign`,
    taxableBenefit: kinds.taxable_benefit,
    unpaidLeave: t`Unpaid leave`,
    voucherYears: t`Keep payroll vouchers (years)`,
    wageType: t`Wage type`,
    withinDays: t`Only orders of the last days`,
  };
}

/** Words for values of settings. */
export function useSettingValueWords(): Readonly<Record<string, string>> {
  const { t } = useLingui();
  const permissions = Object.entries(usePermissionWords()).map(([name, words]) => [name, words.name]);
  return {
    ...useTenantWords(),
    ...Object.fromEntries(permissions),
    ...usePayerWords(),
    ...Object.assign({}, ...Object.values(usePayrollChoices())),
    all: t`All companies`,
    true: t`Yes`,
    false: t`No`,
  };
}
