import { ListQuery, WriteQuery } from '../../operation.ts';
import { Employee, employeeFields, EmployeeList } from '../../resources/employee.ts';
import { EmployeeAssignment } from '../../resources/platform/employee-assignment.ts';
import { inOrganization, ofOrganization, type PlatformOperation } from './operation.ts';

const path = '/organizations/{organizationId}/employees';

export const platformEmployeeOperations = {
  listOrganizationEmployees: {
    method: 'GET',
    path,
    tag: 'Employees',
    summary: 'List employees',
    description:
      'Lists the employees of an organization. Those without a tenant are found with `filter=tenant IS NULL`, one by the address with `filter=email = "…"`.',
    authenticated: true,
    permission: 'employees:read',
    parameters: inOrganization,
    query: ListQuery,
    success: { status: 200, description: 'A page of employees', body: EmployeeList },
    fields: employeeFields,
    errors: [],
  },
  assignEmployee: {
    method: 'POST',
    path: `${path}/{id}/assignment`,
    tag: 'Employees',
    summary: 'Assign an employee to a tenant',
    description:
      'Gives an employee without a tenant one, with orders and incidents. One who is there already stays, and nobody is moved from one tenant to another.',
    authenticated: true,
    permission: 'employees:write',
    parameters: ofOrganization('Identifier of the employee'),
    query: WriteQuery,
    body: EmployeeAssignment,
    success: { status: 200, description: 'The employee after that', body: Employee },
    errors: ['INVALID_REFERENCE', 'INVALID_STATE_TRANSITION', 'DUPLICATE_RESOURCE'],
  },
} as const satisfies Record<string, PlatformOperation>;
