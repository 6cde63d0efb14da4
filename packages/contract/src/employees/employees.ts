import Type, { type Static } from 'typebox';
import { AuditEntry, ValueChange } from '../audit/audit.ts';
import { batchOf, BatchOutcome } from '../batch.ts';
import { fieldsOf } from '../fields.ts';
import { listOf, pageOf } from '../list.ts';
import { CreatedListQuery, idParameter, list, publicOperation, read, write } from '../operation.ts';
import { inOrganization, ofOrganization, platformOperation } from '../platform-operation.ts';
import { exported, ofHr, ofPortal, searched } from '../portal-operation.ts';
import { Erasure } from '../privacy/data-subjects.ts';
import {
  ClosedObject,
  Email,
  Flag,
  Id,
  Instant,
  InstantInput,
  NamedObject,
  nullable,
  optionals,
  PatchBody,
  Text,
  timestamps,
} from '../schema.ts';

const text = (description: string, example: string, maxLength: number) =>
  nullable(Text(description, example, { maxLength }));

const email = Email(
  'Work address of the employee account; unique in the organization, not editable after creation',
  'maria.schulz@example.com',
);
const privateEmail = nullable(Email('Private address; null when none is stored', 'maria@example.org'));
const names = {
  firstName: Text('First name', 'Maria', { minLength: 1, maxLength: 200 }),
  lastName: Text('Last name', 'Schulz', { minLength: 1, maxLength: 200 }),
};
// Not empty: numbers are unique per tenant, so only one employee could have the empty one.
const employeeNumber = nullable(
  Text('Personnel number of the customer; unique in the tenant', '10042', { minLength: 1, maxLength: 64 }),
);
/** Fields of an employee that a create and a patch take, too. */
const details = {
  phoneNumber: text('Phone number', '+49 30 1234567', 50),
  street: text('Street and house number', 'Lange Straße 12', 200),
  postalCode: text('Postal code', '10115', 20),
  city: text('City', 'Berlin', 200),
  countryCode: nullable(Text('Two uppercase letters', 'DE', { pattern: '^[A-Z]{2}$', format: 'country' })),
  additionalInfo: text('Further information on the employee or the address', 'Rear building', 1000),
  blocked: Flag('Whether the account is blocked', false),
};
const divisionId = nullable(
  Id('Division of the employee, inside the tenant; null when none is assigned', '65f0c0ffee0000000000d001'),
);

export const Employee = NamedObject('Employee', 'Master data of an employee', {
  id: Id('Unique identifier of the employee'),
  email,
  privateEmail,
  employeeNumber,
  firstName: nullable(names.firstName),
  lastName: nullable(names.lastName),
  ...details,
  tenant: nullable(
    Id('Tenant (company) of the employee; null when none is assigned', '65f0c0ffee0000000000000a'),
  ),
  divisionId,
  ...timestamps('employee'),
});
export type Employee = Static<typeof Employee>;

export const EmployeeList = listOf(Employee, 'EmployeeList');

const editable = { privateEmail, employeeNumber, ...details, divisionId };

export const EmployeeCreate = NamedObject('EmployeeCreate', 'A new employee', {
  email,
  ...names,
  ...optionals(editable),
});
export type EmployeeCreate = Static<typeof EmployeeCreate>;

export const EmployeePatch = PatchBody(
  'EmployeePatch',
  'A merge: an absent property is left alone, null clears a nullable one',
  { ...names, ...editable },
);
export type EmployeePatch = Static<typeof EmployeePatch>;

export const employeeFields = fieldsOf(Employee);

export const listEmployees = publicOperation({
  ...list,
  path: '/employees',
  tag: 'Employees',
  summary: 'List employees',
  description: 'Lists the employees in the scope of the key.',
  success: { status: 200, description: 'A page of employees', body: EmployeeList },
  fields: employeeFields,
});

export const createEmployee = publicOperation({
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
});

export const getEmployee = publicOperation({
  ...read,
  path: '/employees/{id}',
  tag: 'Employees',
  summary: 'Get an employee',
  description: 'Reads one employee in the scope of the key.',
  parameters: idParameter('Identifier of the employee'),
  success: { status: 200, description: 'The employee', body: Employee },
});

export const updateEmployee = publicOperation({
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
});

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

export const EmployeeEmail = NamedObject('EmployeeEmail', 'The new work email of an employee', {
  email: Email('New work address; unique in the organization', 'maria.braun@example.com'),
});
export type EmployeeEmail = Static<typeof EmployeeEmail>;

export const EmployeeBlocking = NamedObject('EmployeeBlocking', 'Whether an employee is blocked, and why', {
  blocked: Flag('True blocks the account, false unblocks it', true),
  reason: Type.Optional(
    nullable(Text('Why; stored in the history of the employee', 'Left the company', { maxLength: 500 })),
  ),
});
export type EmployeeBlocking = Static<typeof EmployeeBlocking>;

const path = '/organizations/{organizationId}/employees';
const parameters = ofOrganization('Identifier of the employee');
const activation = { path: `${path}/{id}/activation`, tag: 'Activations', parameters } as const;

export const getEmployeeActivation = platformOperation({
  ...read,
  ...activation,
  summary: 'Get the activation of an employee',
  description: 'Reads whether an employee has completed activation.',
  permission: 'activations:read',
  success: { status: 200, description: 'The activation', body: Activation },
});

export const activateEmployee = platformOperation({
  ...write,
  ...activation,
  summary: 'Activate an employee',
  description:
    'Completes the activation of an employee, which allows incidents and approvals of orders. A repeated activation keeps its time.',
  permission: 'activations:write',
  success: { status: 200, description: 'The activation, which is complete', body: Activation },
});

export const activateEmployeeBatch = platformOperation({
  ...write,
  path: '/organizations/{organizationId}/activation-batches',
  tag: 'Activations',
  summary: 'Activate employees',
  description:
    'Completes the activation of up to 1,000 employees. Each item has its outcome, in order: 200 with the identifier of the employee, even if activated before, or an error. The batch can be repeated.',
  permission: 'activations:write',
  parameters: inOrganization,
  body: ActivationBatch,
  batch: true,
  success: { status: 200, description: 'Outcome of each item', body: BatchOutcome },
});

export const listOrganizationEmployees = platformOperation({
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
});

export const assignEmployee = platformOperation({
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
});

export const changeEmployeeEmail = platformOperation({
  ...write,
  path: `${path}/{id}/email`,
  tag: 'Employees',
  summary: 'Change the work email of an employee',
  description:
    'Replaces the work email, which the public API cannot change. Clients of the public API receive the change with its new `updatedAt`.',
  permission: 'employees:write',
  parameters,
  body: EmployeeEmail,
  success: { status: 200, description: 'The employee after that', body: Employee },
  errors: ['DUPLICATE_RESOURCE'],
});

export const blockEmployee = platformOperation({
  ...write,
  path: `${path}/{id}/blocking`,
  tag: 'Employees',
  summary: 'Block or unblock an employee',
  description:
    'A blocked employee gets no new incidents, and orders under review can only be rejected. Running contracts, deductions and open incidents go on. Without a change of `blocked`, nothing is stored, and no reason.',
  permission: 'employees:write',
  parameters,
  body: EmployeeBlocking,
  success: { status: 200, description: 'The employee after that', body: Employee },
});

export const EmployeeDetails = ClosedObject({
  employee: Employee,
  activatedAt: Activation.properties.activatedAt,
  erasedAt: Erasure.properties.erasedAt,
});
export type EmployeeDetails = Static<typeof EmployeeDetails>;

export const EmployeeEdit = PatchBody('EmployeeEdit', 'A merge, as of the public API', {
  ...EmployeePatch.properties,
  unchangedSince: InstantInput(),
});

const { actorType, actorId, actorName } = AuditEntry.properties;

export const EmployeeChange = ClosedObject({
  id: Id(),
  createdAt: Instant(),
  actorType,
  actorId,
  actorName,
  values: Type.Array(ValueChange),
  reason: nullable(Text()),
});
export type EmployeeChange = Static<typeof EmployeeChange>;

export const listPortalEmployees = ofHr(listEmployees, {
  ...searched,
  path: '/employees/search',
});

export const exportPortalEmployees = ofHr(listEmployees, {
  ...exported,
  path: '/employees/export',
});

export const createPortalEmployee = ofHr(createEmployee, {
  errors: ['INVALID_REFERENCE_ID', 'DUPLICATE_RESOURCE', 'TENANT_CONTEXT_AMBIGUOUS', 'INVALID_REFERENCE'],
});

export const getPortalEmployee = ofHr(getEmployee, {
  success: { status: 200, body: EmployeeDetails },
});

export const updatePortalEmployee = ofHr(updateEmployee, {
  body: EmployeeEdit,
  errors: ['DUPLICATE_RESOURCE', 'INVALID_REFERENCE', 'INVALID_STATE_TRANSITION'],
});

export const listPortalEmployeeChanges = ofHr(getEmployee, {
  path: '/employees/{id}/changes',
  query: CreatedListQuery,
  ...pageOf(EmployeeChange, 'EmployeeChangeList'),
});

export const changePortalEmployeeEmail = ofHr(ofPortal(changeEmployeeEmail, {}), {});

export const blockPortalEmployee = ofHr(ofPortal(blockEmployee, {}), {});

export const activatePortalEmployee = ofHr(ofPortal(activateEmployee, {}), {
  tag: 'Employees',
  success: { status: 200, body: Activation },
});
