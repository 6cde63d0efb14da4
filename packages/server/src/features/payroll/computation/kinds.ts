import type { PayrollMapping, PayrollSettings } from '@kontor/contract';
import type { Month } from '../../../lib/calendar.ts';
import { type Booking, settingsIn, type SettingsVersions } from './facts.ts';
import type { Kind } from './owed.ts';

/** The names of kinds in the settings. */
export const settingOfKind = {
  salary_conversion: 'salaryConversion',
  taxable_benefit: 'taxableBenefit',
  employer_subsidy: 'employerSubsidy',
} as const satisfies Record<Kind, keyof PayrollSettings['kinds']>;

export const kinds = Object.keys(settingOfKind) as Kind[];

/** The settings of a tenant, and the month of the run that reads them. */
export interface SettingsOfRun {
  readonly versions: SettingsVersions;
  readonly period: Month;
}

/** Whether the settings of the month say that a kind is not exported. If they are undecided, the settings of the run decide. */
export function isOff(kind: Kind, month: Month, { versions, period }: SettingsOfRun): boolean {
  const decided = mappingIn(versions, month, kind) ?? mappingIn(versions, period, kind);
  return decided?.export === false;
}

/** How a kind is booked: by the settings of the run, or by the settings of the month if the run does not export the kind. */
export function mappingOf(
  kind: Kind,
  month: Month,
  { versions, period }: SettingsOfRun,
): PayrollMapping | null {
  const mapping = mappingIn(versions, period, kind);
  return mapping?.export === false ? mappingIn(versions, month, kind) : mapping;
}

/** How an exported kind is booked on a cost centre. */
export function bookingOf(
  { wageType, processingKey, sign }: PayrollMapping,
  costCenter: string | null,
): Booking {
  return { wageType: wageType!, processingKey, sign: sign === 'plus' ? 1 : -1, costCenter };
}

function mappingIn(versions: SettingsVersions, month: Month, kind: Kind): PayrollMapping | null {
  return settingsIn(versions, month).kinds[settingOfKind[kind]];
}
