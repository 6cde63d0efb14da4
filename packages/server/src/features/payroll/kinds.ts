import type { PayrollSettings } from '@kontor/contract';
import type { Kind } from './owed.ts';

/** The names of kinds in the settings. */
export const settingOfKind = {
  salary_conversion: 'salaryConversion',
  taxable_benefit: 'taxableBenefit',
  employer_subsidy: 'employerSubsidy',
} as const satisfies Record<Kind, keyof PayrollSettings['kinds']>;

export const kinds = Object.keys(settingOfKind) as Kind[];

/** Whether a company does not export a kind. A kind without a decision is not off. */
export function isOff(kind: Kind, { kinds: mappings }: Pick<PayrollSettings, 'kinds'>): boolean {
  return mappings[settingOfKind[kind]]?.export === false;
}
