import type { AnswerOf } from '../../api/ask.ts';
import { useKindWords } from '../../kit/hr-words.tsx';

export type Stored = AnswerOf<'GET /tenants/{id}/payroll-settings'>;
export type Settings = Omit<Stored, 'tenant' | 'from' | 'version' | 'changedAt' | 'versions'>;
export type Kinds = Settings['kinds'];
export type Leaves = Settings['leaves'];

/** The proposal for a new company: the conversion stops with the pay, and the benefit goes on while the bike is kept. */
const leave = {
  salaryConversion: 'suspend',
  taxableBenefit: 'continue',
  employerSubsidy: 'continue',
  payer: null,
} as const;
const unpaid = { ...leave, employerSubsidy: 'suspend' } as const;

const kind = { export: false, wageType: null, processingKey: null, sign: 'plus' } as const;

export const emptySettings = {
  firstPeriod: '',
  adviserNumber: null,
  clientNumber: null,
  personnelNumbers: 'payroll',
  cutOffDay: null,
  benefitProRata: false,
  partMonth: 'calendar_days',
  releaseBySecondActor: false,
  kinds: {
    // A conversion lowers the pay.
    salaryConversion: { ...kind, sign: 'minus' },
    taxableBenefit: kind,
    employerSubsidy: kind,
  },
  leaves: { longTermIllness: leave, maternityLeave: leave, parentalLeave: unpaid, unpaidLeave: unpaid },
  conversionBound: null,
  lugCorrections: 'two_years',
  changesBySecondActor: false,
} as const satisfies Settings;

/** The settings as the service takes them; before the first ones everything is open. */
export function settingsOf(stored: Stored | null): Settings {
  if (stored === null)
    return {
      ...emptySettings,
      kinds: { salaryConversion: null, taxableBenefit: null, employerSubsidy: null },
    };
  const {
    tenant: _tenant,
    from: _from,
    version: _version,
    changedAt: _at,
    versions: _all,
    ...settings
  } = stored;
  return settings;
}

/** The words for kinds of amounts, under their names in the settings. */
export function useNamesOfKinds(): Record<keyof Kinds, string> {
  const { salary_conversion, taxable_benefit, employer_subsidy } = useKindWords();
  return {
    salaryConversion: salary_conversion,
    taxableBenefit: taxable_benefit,
    employerSubsidy: employer_subsidy,
  };
}
