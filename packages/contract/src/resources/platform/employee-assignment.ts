import Type, { type Static } from 'typebox';
import { Id, nullable } from '../../schema.ts';

export const EmployeeAssignment = Type.Object(
  {
    tenant: Id('Tenant that the employee belongs to from now on'),
    divisionId: Type.Optional(nullable(Id('Division of that tenant; null or absent: none'))),
  },
  {
    $id: 'EmployeeAssignment',
    additionalProperties: false,
    description: 'Where an employee without a tenant goes',
  },
);
export type EmployeeAssignment = Static<typeof EmployeeAssignment>;
