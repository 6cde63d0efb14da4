import { Employee, employeeFields } from '@kontor/contract';
import { defineResource, everywhere, plain, searched } from '../../query/resource.ts';

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
