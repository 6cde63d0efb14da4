import { Employee, employeeFields } from '@kontor/contract';
import { emailKey } from '../../lib/email-key.ts';
import { defineResource, documentEnd, everywhere, plain, searched } from '../../query/resource.ts';

export const employeeResource = defineResource({
  table: 'employee',
  resourceType: 'employee',
  schema: Employee,
  fields: employeeFields,
  stored: {
    id: plain('id', 'text', ...everywhere),
    email: searched('folded_email', 'organization'),
    privateEmail: searched('folded_private_email'),
    employeeNumber: searched('folded_employee_number', 'organization'),
    firstName: searched('folded_first_name'),
    lastName: searched('folded_last_name', 'organization'),
    phoneNumber: searched('folded_phone_number'),
    street: searched('folded_street'),
    postalCode: searched('folded_postal_code'),
    city: searched('folded_city'),
    countryCode: searched('folded_country_code'),
    additionalInfo: searched('folded_additional_info'),
    blocked: plain('blocked', 'boolean'),
    tenant: plain('tenant_id', 'text', 'organization'),
    divisionId: plain('division_id', 'text', 'organization'),
    createdAt: plain('created_at', 'timestamptz', 'organization'),
    updatedAt: plain('updated_at', 'timestamptz', 'organization', 'tenant'),
  },
  withoutAccents: [
    'folded_email',
    'folded_employee_number',
    'folded_first_name',
    'folded_last_name',
    'folded_city',
  ],
});

export type EmployeeData = Omit<Employee, 'id' | 'createdAt' | 'updatedAt'>;

const { created_at: _created, updated_at: _updated, ...types } = employeeResource.types;

/** The columns of `employee` that {@link employeeRow} sets, with their types. Email and number are unique in these forms. */
export const employeeColumns: Readonly<Record<string, string>> = {
  ...types,
  email_key: 'text',
  employee_number: 'text',
};

export type EmployeeRow = ReturnType<typeof employeeRow>;

/** `head` is the document up to its timestamps, which are set during the write. `publicId` is its identifier, a constant in a dry run. */
export function employeeRow(id: string, data: EmployeeData, publicId = id) {
  return {
    ...employeeResource.row({ id, ...data }),
    email_key: emailKey(data.email),
    employee_number: data.employeeNumber,
    head: `{${employeeResource.part({ id: publicId, ...data }, 'id', 'createdAt')}`,
  };
}

export function stampedDocument(head: string, createdAt: string, updatedAt: string): string {
  return head + documentEnd(createdAt, updatedAt);
}
