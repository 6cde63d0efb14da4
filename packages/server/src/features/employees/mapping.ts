import { Employee, employeeFields } from '@kontor/contract';
import { defineResource, documentEnd, everywhere, plain, searched } from '../../query/resource.ts';
import { emailKey } from '../../lib/email-key.ts';

/** How employees are stored. */
export const employeeResource = defineResource({
  table: 'employee',
  family: 'employee',
  schema: Employee,
  fields: employeeFields,
  docVersion: 1,
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
});

/** The public fields of an employee that a write decides; identifier and timestamps are given by the service. */
export type EmployeeData = Omit<Employee, 'id' | 'createdAt' | 'updatedAt'>;

const { created_at: _created, updated_at: _updated, ...types } = employeeResource.types;

/** The columns of `employee` that follow from its public data but for its timestamps, with their PostgreSQL types. */
export const employeeColumns: Readonly<Record<string, string>> = {
  ...types,
  // Unique values as they are compared: the e-mail by its key, the number as it is.
  email_key: 'text',
  employee_number: 'text',
};

/**
 * These columns, and `head`: the document up to its timestamps, which only the turn of the write gives. {@link stampedDocument}
 * completes it.
 */
export type EmployeeRow = ReturnType<typeof employeeRow>;

/** The row of an employee. `publicId` is the identifier in the document, another one only in a dry run. */
export function employeeRow(id: string, data: EmployeeData, publicId = id) {
  return {
    ...employeeResource.row({ id, ...data }),
    email_key: emailKey(data.email),
    employee_number: data.employeeNumber,
    head: `{${employeeResource.part({ id: publicId, ...data }, 'id', 'createdAt')}`,
  };
}

/** A document, complete. */
export function stampedDocument(head: string, createdAt: string, updatedAt: string): string {
  return head + documentEnd(createdAt, updatedAt);
}
