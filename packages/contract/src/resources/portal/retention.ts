import type { Static } from 'typebox';
import { Flag, Id, Integer, NamedObject, nullable, PatchBody } from '../../schema.ts';

/**
 * Administrators cannot set fewer days, so nobody removes the traces of a recent action. The BSI's minimum standard on logging and detection
 * of cyberattacks (version 2.1, PD.2.1.04) gives 90 days as an example.
 */
export const auditDaysMinimum = 90;

/** A hundred years. */
const auditDaysMaximum = 36_500;

/** Wage accounts and their vouchers are kept until the end of the sixth year (§ 41 (1) sentence 9 EStG). */
export const voucherYearsMinimum = 6;

const auditDays = (minimum: number) =>
  nullable(
    Integer('Days for which audit entries are kept; null: they are never removed', 400, {
      minimum,
      maximum: auditDaysMaximum,
    }),
  );

export const OrganizationRetention = NamedObject(
  'OrganizationRetention',
  'The retention of what belongs to the organization as a whole',
  {
    auditDays: auditDays(1),
    auditDaysMinimum: Integer(
      'Fewest days that an administrator can set; the operator can set fewer',
      auditDaysMinimum,
    ),
    removesAudit: Flag(
      'Whether the service removes older entries daily; if not, the operator does with `kontor audit prune`',
      true,
    ),
  },
);
export type OrganizationRetention = Static<typeof OrganizationRetention>;

export const OrganizationRetentionUpdate = PatchBody(
  'OrganizationRetentionUpdate',
  'Another retention of the audit',
  { auditDays: auditDays(auditDaysMinimum) },
);

const voucherYears = (minimum: number) =>
  Integer('Whole years after its year for which a payroll voucher is kept', voucherYearsMinimum, {
    minimum,
    maximum: 100,
  });
const otherDays = Integer('Days after their last change for which other orders and incidents are kept', 0, {
  minimum: 0,
  maximum: 36_500,
});

export const CompanyRetention = NamedObject('CompanyRetention', 'The retention of data of the employees', {
  tenantId: Id('Tenant'),
  voucherYears: voucherYears(0),
  voucherYearsMinimum: Integer(
    'Fewest years that the law allows (§ 41 (1) EStG), and that an administrator can set',
    voucherYearsMinimum,
  ),
  otherDays,
});
export type CompanyRetention = Static<typeof CompanyRetention>;

export const CompanyRetentionUpdate = PatchBody(
  'CompanyRetentionUpdate',
  'Changes of the retention; absent properties stay',
  { voucherYears: voucherYears(voucherYearsMinimum), otherDays },
);
