import Type, { type Static } from 'typebox';
import { Count, Day, Flag, Id, Instant, NamedObject, nullable, Period } from '../../schema.ts';

export const Erasure = NamedObject(
  'Erasure',
  'Whether and when the data of an employee can be erased, and which data',
  {
    employeeId: Id('Employee'),
    erasedAt: nullable(Instant('When the data were erased, the last time; null: never')),
    possible: Flag('Whether the data can be erased now; also again after new writes', false),
    possibleFrom: nullable(
      Day(
        'First possible day of the erasure (UTC); null if it is possible now, or the day is unknown',
        '2031-01-01',
      ),
    ),
    reasons: Type.Array(Type.String({ examples: ['order A-2026-000123 is active'] }), {
      description: 'Reasons that prevent the erasure; empty if there are none',
    }),
    orders: Count('Orders of the employee, which stay without texts and files', 2),
    incidents: Count('Incidents of the employee, which stay without texts, days and files', 1),
    files: Count('Files of these, which go', 3),
  },
);
export type Erasure = Static<typeof Erasure>;

/** Maximum employees that a retention lists; the others are only counted. */
export const dueEmployeesMaximum = 100;

export const TenantRetention = NamedObject(
  'TenantRetention',
  'Retention of personal data of a tenant, and erasable data',
  {
    tenantId: Id('Tenant'),
    voucherYears: Count('Whole years after its year for which a payroll voucher is kept', 6),
    otherDays: Count('Days after their last change for which other orders and incidents are kept', 0),
    dueCount: Count('Employees who have left (the account is blocked) and can be erased now', 2),
    dueEmployeeIds: Type.Array(Id('Employee'), {
      maxItems: dueEmployeesMaximum,
      description: `The first ${dueEmployeesMaximum} of these`,
    }),
    keptCount: Count('Blocked employees who cannot be erased yet', 5),
    nextDueOn: nullable(
      Day('First day on which one of these can be erased; null: none, or unknown', '2027-01-01'),
    ),
    documentCount: Count('Payroll export documents older than the retention of vouchers', 12),
    firstPeriod: nullable(Period('First period of these; null: there are none', '2018-01')),
    lastPeriod: nullable(Period('Last period of these; null: there are none', '2018-12')),
  },
);
export type TenantRetention = Static<typeof TenantRetention>;
