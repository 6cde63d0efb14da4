import Type, { type Static } from 'typebox';
import { Id, NamedObject, nullable } from '../../schema.ts';

export const EmployeeAssignment = NamedObject(
  'EmployeeAssignment',
  'Where an employee without a tenant goes',
  {
    tenant: Id('Tenant that the employee belongs to from now on'),
    divisionId: Type.Optional(nullable(Id('Division of that tenant; null or absent: none'))),
  },
);
export type EmployeeAssignment = Static<typeof EmployeeAssignment>;
