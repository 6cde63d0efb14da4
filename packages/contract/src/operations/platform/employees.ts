import { list, write } from '../../operation.ts';
import { Employee, employeeFields, EmployeeList } from '../../resources/employee.ts';
import { EmployeeAssignment } from '../../resources/platform/employee-assignment.ts';
import { inOrganization, ofOrganization, type PlatformOperation } from './operation.ts';

const path = '/organizations/{organizationId}/employees';

export const platformEmployeeOperations = {
  listOrganizationEmployees: {
    ...list,
    path,
    tag: 'Employees',
    summary: 'List employees',
    description:
      'Lists the employees of an organization. Those without a tenant are found with `filter=tenant IS NULL`, one by the address with `filter=email = "…"`.',
    permission: 'employees:read',
    parameters: inOrganization,
    success: { status: 200, description: 'A page of employees', body: EmployeeList },
    fields: employeeFields,
  },
  assignEmployee: {
    ...write,
    path: `${path}/{id}/assignment`,
    tag: 'Employees',
    summary: 'Assign an employee to a tenant',
    description:
      'Gives an employee without a tenant one, with orders and incidents. One who is there already stays, and nobody is moved from one tenant to another.',
    permission: 'employees:write',
    parameters: ofOrganization('Identifier of the employee'),
    body: EmployeeAssignment,
    success: { status: 200, description: 'The employee after that', body: Employee },
    errors: ['INVALID_REFERENCE', 'INVALID_STATE_TRANSITION', 'DUPLICATE_RESOURCE'],
  },
} as const satisfies Record<string, PlatformOperation>;
