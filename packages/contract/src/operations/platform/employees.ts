import { list, read, write } from '../../operation.ts';
import { BatchOutcome } from '../../resources/platform/batch.ts';
import { Activation, ActivationBatch, EmployeeAssignment } from '../../resources/platform/employee.ts';
import { Employee, employeeFields, EmployeeList } from '../../resources/public/employee.ts';
import { inOrganization, ofOrganization, type PlatformOperation } from './operation.ts';

const path = '/organizations/{organizationId}/employees';
const parameters = ofOrganization('Identifier of the employee');
const activation = { path: `${path}/{id}/activation`, tag: 'Activations', parameters } as const;

export const platformEmployeeOperations = {
  getEmployeeActivation: {
    ...read,
    ...activation,
    summary: 'Get the activation of an employee',
    description: 'Reads whether an employee has completed activation.',
    permission: 'activations:read',
    success: { status: 200, description: 'The activation', body: Activation },
  },
  activateEmployee: {
    ...write,
    ...activation,
    summary: 'Activate an employee',
    description:
      'Completes the activation of an employee, which allows incidents and approvals of orders. A repeated activation keeps its time.',
    permission: 'activations:write',
    success: { status: 200, description: 'The activation, which is complete', body: Activation },
  },
  activateEmployeeBatch: {
    ...write,
    path: '/organizations/{organizationId}/activation-batches',
    tag: 'Activations',
    summary: 'Activate employees',
    description:
      'Completes the activation of up to 1,000 employees. Each item has its outcome, in order: 200 with the identifier of the employee, also if activated before, or an error. The batch can be repeated.',
    permission: 'activations:write',
    parameters: inOrganization,
    body: ActivationBatch,
    batch: true,
    success: { status: 200, description: 'Outcome of each item', body: BatchOutcome },
  },
  listOrganizationEmployees: {
    ...list,
    path,
    tag: 'Employees',
    summary: 'List employees',
    description:
      'Lists the employees of an organization. Those without a tenant are found with `filter=tenant IS NULL`, one person with `filter=email = "…"`.',
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
      'Places an employee without a tenant, with orders and incidents. It can be repeated. No employee moves from one tenant to another.',
    permission: 'employees:write',
    parameters,
    body: EmployeeAssignment,
    success: { status: 200, description: 'The employee after that', body: Employee },
    errors: ['INVALID_REFERENCE', 'INVALID_STATE_TRANSITION', 'DUPLICATE_RESOURCE'],
  },
} as const satisfies Record<string, PlatformOperation>;
