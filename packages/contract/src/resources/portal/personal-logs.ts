import Type, { type Static } from 'typebox';
import { Flag, Id, Integer, NamedObject, nullable, Text, Values } from '../../schema.ts';
import { portalPermissionNames } from '../platform/user.ts';

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

const PersonalLog = NamedObject('PersonalLog', 'A kind of stored data about persons', {
  name: Values('PersonalLogName', [...personalLogNames], 'What is stored'),
  settings: Type.Array(Values('RetentionSetting', [...retentionSettings], 'A setting of the retention'), {
    description: 'The settings that limit how long it is kept',
  }),
  hours: nullable(
    Integer(
      'Hours for which it is kept: by its setting, or fixed. Null: it ends with an event, or never',
      12,
      {
        minimum: 1,
      },
    ),
  ),
  permissions: Type.Array(Values('PersonalLogPermission', [...portalPermissionNames], 'A permission'), {
    description: 'Users with one of these permissions can read it',
  }),
  ownOnly: Flag('Whether users can read their own without a permission', false),
});

export const PersonalLogs = NamedObject(
  'PersonalLogs',
  'What is stored about persons, for how long, and who can read it',
  {
    logs: Type.Array(PersonalLog),
    companies: Type.Array(
      NamedObject('CompanyPeriods', 'The retention of a company', {
        id: Id('Tenant'),
        name: Text('Name of the tenant', 'Muster GmbH'),
        voucherYears: Integer('Whole years after its year for which a payroll voucher is kept', 6, {
          minimum: 0,
        }),
        otherDays: Integer('Days after their last change for which orders and incidents are kept', 0, {
          minimum: 0,
        }),
      }),
      { description: 'The retention of each company, by name' },
    ),
  },
);
export type PersonalLogs = Static<typeof PersonalLogs>;
