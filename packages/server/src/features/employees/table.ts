import { employeeFields } from '@kontor/contract';
import type { CollectionTable, Column } from '../../collection/table.ts';

const searched = (name: string): Column => ({ name, search: true });
const searchedInOrder = (name: string): Column => ({ name, search: true, indexed: ['organization'] });

/** Where the public fields of employees stand in the table `employee`. */
export const employeeTable: CollectionTable = {
  table: 'employee',
  family: 'employee',
  fields: employeeFields,
  columns: new Map<string, Column>([
    ['id', { name: 'id', indexed: ['organization', 'tenant', 'division'] }],
    ['email', searchedInOrder('folded_email')],
    ['privateEmail', searched('folded_private_email')],
    ['employeeNumber', searchedInOrder('folded_employee_number')],
    ['firstName', searched('folded_first_name')],
    ['lastName', searchedInOrder('folded_last_name')],
    ['phoneNumber', searched('folded_phone_number')],
    ['street', searched('folded_street')],
    ['postalCode', searched('folded_postal_code')],
    ['city', searched('folded_city')],
    ['countryCode', searched('folded_country_code')],
    ['additionalInfo', searched('folded_additional_info')],
    ['blocked', { name: 'blocked' }],
    ['tenant', { name: 'tenant_id', indexed: ['organization'] }],
    ['divisionId', { name: 'division_id', indexed: ['organization'] }],
    ['createdAt', { name: 'created_at', indexed: ['organization'] }],
    ['updatedAt', { name: 'updated_at', indexed: ['organization', 'tenant'] }],
  ]),
};
