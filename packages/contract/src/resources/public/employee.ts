import type { Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import {
  Email,
  Flag,
  Id,
  NamedObject,
  nullable,
  optionals,
  PatchBody,
  Text,
  timestamps,
} from '../../schema.ts';
import { listOf } from '../list.ts';

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
