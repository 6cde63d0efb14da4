import Type, { type Static } from 'typebox';
import { Flag, Id, Instant, NamedObject, nullable } from '../../schema.ts';
import { batchOf } from './batch.ts';

export const Activation = NamedObject('Activation', 'The activation of an employee', {
  employeeId: Id('Employee'),
  activated: Flag('Whether the employee has completed activation', true),
  activatedAt: nullable(Instant('When that was; null: not yet')),
});
export type Activation = Static<typeof Activation>;

const ActivationLine = NamedObject('ActivationLine', 'An activation of a batch', {
  employeeId: Id('Employee to activate'),
});

export const ActivationBatch = batchOf(ActivationLine, 'ActivationBatch', 'Employees to activate');

export const EmployeeAssignment = NamedObject(
  'EmployeeAssignment',
  'Tenant and division of an employee without a tenant',
  {
    tenant: Id('New tenant of the employee'),
    divisionId: Type.Optional(nullable(Id('Division of that tenant; null or absent: none'))),
  },
);
export type EmployeeAssignment = Static<typeof EmployeeAssignment>;
