import Type, { type Static } from 'typebox';
import { Count, Day, Id, NamedObject, nullable, Period } from '../../schema.ts';

/** Maximum employees that a retention lists; the others are only counted. */
export const dueEmployeesMaximum = 100;

export const TenantRetention = NamedObject(
  'TenantRetention',
  'How long a tenant keeps data of people, and what it need not keep any more',
  {
    tenantId: Id('Tenant'),
    voucherYears: Count('Whole years behind its year for which a voucher of the payroll is kept', 6),
    otherDays: Count('Days behind their last change for which other orders and incidents are kept', 0),
    dueCount: Count('Employees who have left (the account is blocked) and can be erased now', 2),
    dueEmployeeIds: Type.Array(Id('Employee'), {
      maxItems: dueEmployeesMaximum,
      description: `The first ${dueEmployeesMaximum} of these`,
    }),
    keptCount: Count('Employees who have left and whose data are kept for now', 5),
    nextDueOn: nullable(
      Day('First day on which one of these can be erased; null: none, or nobody can tell', '2027-01-01'),
    ),
    documentCount: Count('Payroll export documents that are older than vouchers are kept', 12),
    firstPeriod: nullable(Period('First period of these; null: there are none', '2018-01')),
    lastPeriod: nullable(Period('Last period of these; null: there are none', '2018-12')),
  },
);
export type TenantRetention = Static<typeof TenantRetention>;
