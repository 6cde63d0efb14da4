import type { OrderContract } from '@kontor/contract';
import type { RunTerms } from '../../../src/features/payroll/computation/assess.ts';
import type {
  Booking,
  OrderFacts,
  Released,
  SettingsVersion,
} from '../../../src/features/payroll/computation/facts.ts';
import { formats } from '../../../src/features/payroll/formats/formats.ts';
import type { Basis } from '../../../src/features/payroll/computation/owed.ts';
import { settingsInput } from './support.ts';

export const settings = {
  ...settingsInput,
  firstPeriod: '2025-01',
  from: '2025-01',
  tenant: 'b'.repeat(24),
  version: 1,
  changedAt: '2026-01-01T00:00:00.000Z',
} as SettingsVersion;

/** 30.00 of 40.00 a month are converted, 10.00 are subsidies of the employer. The benefit is 8.00. */
export const contract: OrderContract = {
  contractNumber: 'LV-1',
  startDate: '2026-01-01',
  endDate: '2028-12-31',
  termMonths: 36,
  currency: 'EUR',
  listPrice: '3599.00',
  purchasePrice: '3599.00',
  residualValue: null,
  leasingRate: '30.00',
  leasingRateSubsidy: '5.00',
  insuranceRate: '7.00',
  insuranceRateSubsidy: '3.00',
  serviceRate: '3.00',
  serviceRateSubsidy: '2.00',
  salaryConversion: '30.00',
  taxableBenefit: '8.00',
};

/** An order in its first month, with nothing released. */
export const facts: OrderFacts = {
  orderId: 'a'.repeat(24),
  employeeId: 'c'.repeat(24),
  contract,
  amounts: [],
  isSPedelec: false,
  leaves: [],
  departures: [],
  changedAt: new Date('2026-01-01T00:00:00Z'),
  employee: { lastName: 'Müller', firstName: 'Änne', employeeNumber: '1234' },
  isBlocked: false,
  costCenter: '4711',
  released: [],
  latestBasis: null,
  latestVersion: 0,
};

export const terms: RunTerms = {
  versions: [settings],
  period: '2026-01',
  formats: [formats.csv],
  cutOff: null,
};

export const basis: Basis = {
  contractNumber: 'LV-1',
  startDate: '2026-01-01',
  endDate: '2028-12-31',
  termMonths: 36,
  salaryConversion: '30.00',
  taxableBenefit: '8.00',
  employerSubsidy: '10.00',
  suspensions: [],
  benefitProRata: false,
};

export const conversionBooking: Booking = {
  wageType: '3010',
  processingKey: '2',
  sign: -1,
  costCenter: '4711',
};

/** The conversion of a month that a run exported. */
export function released(month: string, cents: bigint, more: Partial<Released> = {}): Released {
  return {
    month,
    kind: 'salary_conversion',
    exported: cents,
    paidElsewhere: 0n,
    notOwed: 0n,
    booking: conversionBooking,
    personnelNumber: '1234',
    ...more,
  };
}
