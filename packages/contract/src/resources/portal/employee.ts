import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import {
  Count,
  Day,
  Flag,
  Id,
  Instant,
  InstantInput,
  NamedObject,
  nullable,
  PatchBody,
  Text,
  Values,
} from '../../schema.ts';
import { listOf } from '../list.ts';
import { AuditEntry } from '../platform/audit.ts';
import { Activation } from '../platform/employee.ts';
import { Erasure } from '../platform/data-subject.ts';
import { Employee, EmployeePatch } from '../public/employee.ts';

export const EmployeeDetails = NamedObject('EmployeeDetails', 'An employee with what only the portal shows', {
  employee: Employee,
  activatedAt: Activation.properties.activatedAt,
  erasedAt: Erasure.properties.erasedAt,
});
export type EmployeeDetails = Static<typeof EmployeeDetails>;

export const EmployeeEdit = PatchBody('EmployeeEdit', 'A merge, as of the public API', {
  ...EmployeePatch.properties,
  unchangedSince: InstantInput(
    '`updatedAt` of the employee that the form shows: a later change by others rejects the update',
    '2026-09-02T08:15:30.123Z',
  ),
});

const EmployeeValueChange = NamedObject('EmployeeValueChange', 'A field of an employee that was changed', {
  field: Text('Name of the field; `activatedAt` for the activation', 'city'),
  before: nullable(Text('Its value before the change; null: none', 'Bonn')),
  after: nullable(Text('Its value after the change; null: none', 'Berlin')),
});
export type EmployeeValueChange = Static<typeof EmployeeValueChange>;

const { actorType, actorId, actorName } = AuditEntry.properties;

export const EmployeeChange = NamedObject('EmployeeChange', 'A change of an employee with its values', {
  id: Id('Unique identifier of the change'),
  createdAt: Instant('When the employee was changed'),
  actorType,
  actorId,
  actorName,
  values: Type.Array(EmployeeValueChange, { description: 'The changed fields' }),
});
export type EmployeeChange = Static<typeof EmployeeChange>;

export const EmployeeChangeList = listOf(EmployeeChange, 'EmployeeChangeList');

export const employeeChangeFields = fieldsOf(EmployeeChange);

export const erasureHoldKinds = [
  'open_order',
  'order_vouchers',
  'recent_order',
  'incident_in_progress',
  'recent_incident',
  'payroll',
] as const;

const ErasureHold = NamedObject('ErasureHold', 'A reason to keep the data of a person', {
  kind: Values('ErasureHoldKind', [...erasureHoldKinds], 'Kind of the reason'),
  subject: Text('Number of the order or incident; for payroll the last month', 'A-2026-000123'),
  until: nullable(Day('Day on which the reason ends; null: it is not known', '2031-01-01')),
});
export type ErasureHold = Static<typeof ErasureHold>;

const { orders, incidents, files, possibleFrom } = Erasure.properties;

export const EmployeeErasure = NamedObject(
  'EmployeeErasure',
  'Whether the data of a person can be erased, and what payroll keeps of them',
  {
    possible: Flag('Whether the data can be erased now', false),
    possibleFrom,
    holds: Type.Array(ErasureHold, { description: 'Reasons that prevent the erasure' }),
    orders,
    incidents,
    files,
    payrollEntries: Count('Amounts of released payroll, which stay', 12),
    payrollKeptUntil: nullable(
      Day(
        'Day on which the retention of these amounts and of the payroll files ends; null: there are none',
        '2033-01-01',
      ),
    ),
  },
);
export type EmployeeErasure = Static<typeof EmployeeErasure>;
