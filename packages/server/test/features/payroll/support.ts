import assert from 'node:assert/strict';
import type { PayrollLeaveRule } from '@kontor/contract';

/** The rule of a leave with one effect on all kinds. */
export function leaveRule(effect: PayrollLeaveRule['salaryConversion']): PayrollLeaveRule {
  return { salaryConversion: effect, taxableBenefit: effect, employerSubsidy: effect, payer: null };
}

/** Payroll settings of a tenant, with everything exported. */
export const settingsInput = {
  firstPeriod: '2026-01',
  adviserNumber: '1234567',
  clientNumber: '10001',
  personnelNumbers: 'payroll',
  cutOffDay: null,
  benefitProRata: false,
  partMonth: 'calendar_days',
  releaseBySecondActor: false,
  kinds: {
    salaryConversion: { export: true, wageType: '3010', processingKey: '2', sign: 'minus' },
    taxableBenefit: { export: true, wageType: '3020', processingKey: '2', sign: 'plus' },
    employerSubsidy: { export: false, wageType: null, processingKey: null, sign: 'plus' },
  },
  leaves: {
    longTermIllness: leaveRule(null),
    maternityLeave: leaveRule(null),
    parentalLeave: leaveRule('suspend'),
    unpaidLeave: leaveRule('suspend'),
  },
  conversionBound: null,
  lugCorrections: 'two_years',
  changesBySecondActor: false,
};

export function assertError(
  answer: { status: number; body: any },
  status: number,
  code: string,
  message = /./,
): void {
  assert.deepEqual([answer.status, answer.body?.error?.code], [status, code], JSON.stringify(answer.body));
  assert.match(answer.body.error.message, message);
}
