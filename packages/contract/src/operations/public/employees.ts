import { idParameter, list, type Operation, read, write } from '../../operation.ts';
import {
  Employee,
  EmployeeCreate,
  EmployeeList,
  EmployeePatch,
  employeeFields,
} from '../../resources/public/employee.ts';

export const employeeOperations = {
  listEmployees: {
    ...list,
    path: '/employees',
    tag: 'Employees',
    summary: 'List employees',
    description: 'Lists the employees in the scope of the key.',
    success: { status: 200, description: 'A page of employees', body: EmployeeList },
    fields: employeeFields,
  },
  createEmployee: {
    ...write,
    path: '/employees',
    tag: 'Employees',
    summary: 'Create an employee',
    description:
      'Creates an employee in the tenant of `divisionId`, else of `X-Tenant-ID`, else in the only tenant in scope. A new employee is not activated.',
    body: EmployeeCreate,
    success: { status: 201, description: 'The employee was created', body: Employee },
    errors: [
      'INVALID_REFERENCE_ID',
      'DUPLICATE_RESOURCE',
      'TENANT_CONTEXT_AMBIGUOUS',
      'EMPLOYEE_PLACEMENT_AMBIGUOUS',
      'INVALID_REFERENCE',
    ],
  },
  getEmployee: {
    ...read,
    path: '/employees/{id}',
    tag: 'Employees',
    summary: 'Get an employee',
    description: 'Reads one employee in the scope of the key.',
    parameters: idParameter('Identifier of the employee'),
    success: { status: 200, description: 'The employee', body: Employee },
  },
  updateEmployee: {
    ...write,
    method: 'PATCH',
    path: '/employees/{id}',
    tag: 'Employees',
    summary: 'Update an employee',
    description:
      'Merges the body into the employee: absent properties stay, null clears. Blocks and unblocks with `blocked`. The email and the tenant cannot be changed.',
    parameters: idParameter('Identifier of the employee'),
    body: EmployeePatch,
    success: { status: 200, description: 'The employee after the update', body: Employee },
    errors: ['DUPLICATE_RESOURCE', 'INVALID_REFERENCE'],
  },
} as const satisfies Record<string, Operation>;
