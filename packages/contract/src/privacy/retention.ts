import Type, { type Static } from 'typebox';
import { idParameter, read, write } from '../operation.ts';
import { portalOperation, portalPermissionNames } from '../portal-operation.ts';
import { ClosedObject, Flag, Id, Integer, nullable, PatchBody, Text, Values } from '../schema.ts';

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
  nullable(Type.Integer({ minimum, maximum: auditDaysMaximum, examples: [400] }));

export const OrganizationRetention = ClosedObject({
  auditDays: auditDays(1),
  auditDaysMinimum: Integer(),
  removesAudit: Flag(),
});
export type OrganizationRetention = Static<typeof OrganizationRetention>;

export const OrganizationRetentionUpdate = PatchBody(
  'OrganizationRetentionUpdate',
  'Another retention of the audit log',
  { auditDays: auditDays(auditDaysMinimum) },
);

const voucherYears = (minimum: number) =>
  Type.Integer({ minimum, maximum: 100, examples: [voucherYearsMinimum] });
const otherDays = Type.Integer({ minimum: 0, maximum: 36_500, examples: [0] });

export const CompanyRetention = ClosedObject({
  tenantId: Id(),
  voucherYears: voucherYears(0),
  voucherYearsMinimum: Integer(),
  otherDays,
});
export type CompanyRetention = Static<typeof CompanyRetention>;

export const CompanyRetentionUpdate = PatchBody(
  'CompanyRetentionUpdate',
  'Changes of the retention; absent properties stay',
  { voucherYears: voucherYears(voucherYearsMinimum), otherDays },
);

/** All kinds of stored data about what persons did, or what is known about them. Each has a line on the sheet for the works council. */
export const personalLogNames = [
  'employees',
  'employee_history',
  'orders_and_incidents',
  'payroll',
  'imports',
  'users',
  'passkeys',
  'sessions',
  'sign_in_attempts',
  'mails',
  'audit',
  'api_key_usage',
  'api_key_operations',
  'api_key_errors',
  'service_log',
] as const;
export type PersonalLogName = (typeof personalLogNames)[number];

/** The settings of retention that administrators change. */
export const retentionSettings = ['auditDays', 'employeeHistoryDays', 'voucherYears', 'otherDays'] as const;
export type RetentionSetting = (typeof retentionSettings)[number];

const PersonalLog = ClosedObject({
  name: Values('PersonalLogName', [...personalLogNames]),
  settings: Type.Array(Values('RetentionSetting', [...retentionSettings])),
  hours: nullable(Integer()),
  permissions: Type.Array(Values('PersonalLogPermission', [...portalPermissionNames])),
  ownOnly: Flag(),
});

export const PersonalLogs = ClosedObject({
  logs: Type.Array(PersonalLog),
  companies: Type.Array(
    ClosedObject({
      id: Id(),
      name: Text(),
      voucherYears: Integer(),
      otherDays: Integer(),
    }),
  ),
});
export type PersonalLogs = Static<typeof PersonalLogs>;

const common = { tag: 'Retention', permission: 'COMPANY_ADMIN' } as const;
const changing = { ...write, ...common, method: 'PATCH', needsFreshSignIn: true } as const;

const ofOrganization = { path: '/retention' } as const;
const ofTenant = {
  path: '/tenants/{id}/retention',
  parameters: idParameter('Identifier of the tenant'),
} as const;

export const getOrganizationRetention = portalOperation({
  ...read,
  ...common,
  ...ofOrganization,
  success: { status: 200, body: OrganizationRetention },
});

export const updateOrganizationRetention = portalOperation({
  ...changing,
  ...ofOrganization,
  body: OrganizationRetentionUpdate,
  success: { status: 200, body: OrganizationRetention },
});

export const getPersonalLogs = portalOperation({
  ...read,
  ...common,
  path: '/personal-logs',
  success: { status: 200, body: PersonalLogs },
});

export const getPortalTenantRetention = portalOperation({
  ...read,
  ...common,
  ...ofTenant,
  success: { status: 200, body: CompanyRetention },
});

export const updatePortalTenantRetention = portalOperation({
  ...changing,
  ...ofTenant,
  body: CompanyRetentionUpdate,
  success: { status: 200, body: CompanyRetention },
});
