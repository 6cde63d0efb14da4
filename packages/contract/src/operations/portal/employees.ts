import { CreatedListQuery } from '../../operation.ts';
import { Activation } from '../../resources/platform/employee.ts';
import {
  EmployeeChangeList,
  employeeChangeFields,
  EmployeeDetails,
  EmployeeEdit,
  EmployeeErasure,
} from '../../resources/portal/employee.ts';

import { dataSubjectOperations } from '../platform/data-subjects.ts';
import { platformEmployeeOperations } from '../platform/employees.ts';
import { employeeOperations } from '../public/employees.ts';
import { exported, ofHr, ofPortal, type PortalOperation, searched } from './operation.ts';

const { listEmployees, createEmployee, getEmployee, updateEmployee } = employeeOperations;
const { exportEmployee, getEmployeeErasure, eraseEmployee } = dataSubjectOperations;

/** Data-subject requests: for a company admin who does the work of HR for the company of the person. */
const ofDataSubject = { permission: 'HR', alsoPermission: 'COMPANY_ADMIN', selectsTenant: true } as const;

export const portalEmployeeOperations = {
  listPortalEmployees: ofHr(listEmployees, {
    description: 'Lists the employees of the tenants of the permission HR.',
    ...searched,
    path: '/employees/search',
  }),
  exportPortalEmployees: ofHr(listEmployees, {
    summary: 'Export employees',
    description: 'Sends all employees that the filter selects. The audit has who exported them.',
    ...exported,
    path: '/employees/export',
  }),
  createPortalEmployee: ofHr(createEmployee, {
    errors: ['INVALID_REFERENCE_ID', 'DUPLICATE_RESOURCE', 'TENANT_CONTEXT_AMBIGUOUS', 'INVALID_REFERENCE'],
  }),
  getPortalEmployee: ofHr(getEmployee, {
    description: 'Reads one employee of the tenants of the permission HR.',
    success: { status: 200, description: 'The employee', body: EmployeeDetails },
  }),
  updatePortalEmployee: ofHr(updateEmployee, {
    description:
      'Merges the body into the employee: absent properties stay, null clears. With `unchangedSince` it is rejected after a later change.',
    body: EmployeeEdit,
    errors: ['DUPLICATE_RESOURCE', 'INVALID_REFERENCE', 'INVALID_STATE_TRANSITION'],
  }),
  listPortalEmployeeChanges: ofHr(getEmployee, {
    summary: 'List the changes of an employee',
    description:
      'Lists who changed which values of the employee, while the organization keeps this history. A creation has no values.',
    path: '/employees/{id}/changes',
    query: CreatedListQuery,
    success: { status: 200, description: 'A page of changes', body: EmployeeChangeList },
    fields: employeeChangeFields,
  }),
  activatePortalEmployee: ofHr(ofPortal(platformEmployeeOperations.activateEmployee, {}), {
    tag: 'Employees',
    success: { status: 200, description: 'The activation', body: Activation },
  }),
  getPortalEmployeeErasure: ofHr(ofPortal(getEmployeeErasure, {}), {
    description:
      'Reads whether the data of a person can be erased now, else from when and why not yet, and what payroll keeps.',
    success: { status: 200, description: 'Whether an erasure is possible', body: EmployeeErasure },
  }),
  exportPortalEmployee: {
    ...ofPortal(exportEmployee, {}),
    ...ofDataSubject,
  },
  erasePortalEmployee: {
    ...ofPortal(eraseEmployee, {}),
    ...ofDataSubject,
    needsFreshSignIn: true,
    description:
      'Permanently erases the data of a person (GDPR Art. 17): fields, texts and files. Identifiers, states and sums stay. It is rejected while an order or a retention keeps the data. Takes a fresh sign-in.',
    success: { status: 200, description: 'What is left', body: EmployeeErasure },
  },
} as const satisfies Record<string, PortalOperation>;
