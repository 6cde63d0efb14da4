import Type, { type Static, type TString } from 'typebox';
import { fieldsOf } from '../fields.ts';
import { emailPattern, Flag, Id, Instant, NamedObject, nullable, PatchBody, Text } from '../schema.ts';
import { listOf } from './list.ts';

function text(maxLength: number, description: string, example: string): TString {
  return Type.String({ maxLength, description, examples: [example] });
}

const id = Id('Unique identifier of the employee');
const tenant = nullable(
  Id('Tenant (company) of the employee; null when none is assigned', '65f0c0ffee0000000000000a'),
);
const email = Text(
  'Work address of the employee account; unique in the organization, not editable after creation',
  'maria.schulz@example.com',
  { maxLength: 254, pattern: emailPattern, format: 'idn-email' },
);
const privateEmail = nullable(
  Text('Private address; null when none is stored', 'maria@example.org', {
    maxLength: 254,
    pattern: emailPattern,
    format: 'idn-email',
  }),
);
const firstName = Text('First name', 'Maria', { minLength: 1, maxLength: 200 });
const lastName = Text('Last name', 'Schulz', { minLength: 1, maxLength: 200 });
// Not empty: numbers are unique per tenant, so only one employee could have the empty one.
const employeeNumber = nullable(
  Text('Personnel number of the customer; unique in the tenant', '10042', { minLength: 1, maxLength: 64 }),
);
const phoneNumber = nullable(text(50, 'Phone number', '+49 30 1234567'));
const street = nullable(text(200, 'Street and house number', 'Lange Straße 12'));
const postalCode = nullable(text(20, 'Postal code', '10115'));
const city = nullable(text(200, 'City', 'Berlin'));
const countryCode = nullable(
  Text('Two uppercase letters', 'DE', { pattern: '^[A-Z]{2}$', format: 'country' }),
);
const additionalInfo = nullable(
  text(1000, 'Further information on the employee or the address', 'Rear building'),
);
const blocked = Flag('Whether the account is blocked', false);
const divisionId = nullable(
  Id('Division of the employee, inside the tenant; null when none is assigned', '65f0c0ffee0000000000d001'),
);

export const Employee = NamedObject('Employee', 'Master data of an employee', {
  id,
  email,
  privateEmail,
  employeeNumber,
  firstName: nullable(firstName),
  lastName: nullable(lastName),
  phoneNumber,
  street,
  postalCode,
  city,
  countryCode,
  additionalInfo,
  blocked,
  tenant,
  divisionId,
  createdAt: Instant('When the employee was created'),
  updatedAt: Instant('When the employee last changed; strictly increasing per organization in commit order'),
});
export type Employee = Static<typeof Employee>;

export const EmployeeList = listOf(Employee, 'EmployeeList');

const optional = {
  privateEmail: Type.Optional(privateEmail),
  employeeNumber: Type.Optional(employeeNumber),
  phoneNumber: Type.Optional(phoneNumber),
  street: Type.Optional(street),
  postalCode: Type.Optional(postalCode),
  city: Type.Optional(city),
  countryCode: Type.Optional(countryCode),
  additionalInfo: Type.Optional(additionalInfo),
  blocked: Type.Optional(blocked),
  divisionId: Type.Optional(divisionId),
};

export const EmployeeCreate = NamedObject('EmployeeCreate', 'A new employee', {
  email,
  firstName,
  lastName,
  ...optional,
});
export type EmployeeCreate = Static<typeof EmployeeCreate>;

export const EmployeePatch = PatchBody(
  'EmployeePatch',
  'A merge: an absent property is left alone, null clears a nullable one',
  { firstName: Type.Optional(firstName), lastName: Type.Optional(lastName), ...optional },
);
export type EmployeePatch = Static<typeof EmployeePatch>;

export const employeeFields = fieldsOf(Employee);
