import { type Employee, fold, foldVersion } from '@kontor/contract';
import { searchText } from '../../collection/search-text.ts';
import { emailKey } from '../../email-key.ts';

/** The public fields of an employee that a write decides; identifier and timestamps are given by the service. */
export type EmployeeData = Omit<Employee, 'id' | 'createdAt' | 'updatedAt'>;

/** The version of the stored document, so that a later shape can be rolled out in batches. */
const employeeDocVersion = 1;

/**
 * The columns of `employee` that follow from its public data, with their PostgreSQL types. `head` is the document up to
 * its timestamps, which only the turn of the write gives: {@link stampedDocument} completes it.
 */
export const employeeColumns = {
  id: 'text',
  tenant_id: 'text',
  division_id: 'text',
  email_key: 'text',
  employee_number: 'text',
  folded_email: 'text',
  folded_private_email: 'text',
  folded_employee_number: 'text',
  folded_first_name: 'text',
  folded_last_name: 'text',
  folded_phone_number: 'text',
  folded_street: 'text',
  folded_postal_code: 'text',
  folded_city: 'text',
  folded_country_code: 'text',
  folded_additional_info: 'text',
  search: 'text',
  blocked: 'boolean',
  doc_version: 'smallint',
  fold_version: 'smallint',
} as const;

export type EmployeeColumn = keyof typeof employeeColumns;
export type EmployeeRow = Record<EmployeeColumn, string | number | boolean | null> & {
  id: string;
  head: string;
};

/** The row of an employee. `publicId` is the identifier in the document, another one only in a dry run. */
export function employeeRow(id: string, data: EmployeeData, publicId = id): EmployeeRow {
  const folded = {
    folded_email: fold(data.email),
    folded_private_email: folding(data.privateEmail),
    folded_employee_number: folding(data.employeeNumber),
    folded_first_name: folding(data.firstName),
    folded_last_name: folding(data.lastName),
    folded_phone_number: folding(data.phoneNumber),
    folded_street: folding(data.street),
    folded_postal_code: folding(data.postalCode),
    folded_city: folding(data.city),
    folded_country_code: folding(data.countryCode),
    folded_additional_info: folding(data.additionalInfo),
  };
  return {
    id,
    tenant_id: data.tenant,
    division_id: data.divisionId,
    email_key: emailKey(data.email),
    employee_number: data.employeeNumber,
    ...folded,
    search: searchText(Object.values(folded)),
    blocked: data.blocked,
    doc_version: employeeDocVersion,
    fold_version: foldVersion,
    head: documentHead(publicId, data),
  };
}

function folding(value: string | null): string | null {
  return value === null ? null : fold(value);
}

/** A document, complete. */
export function stampedDocument(head: string, createdAt: string, updatedAt: string): string {
  return head + documentTail(createdAt, updatedAt);
}

/** What completes the head of a document. */
export function documentTail(createdAt: string, updatedAt: string): string {
  return `"createdAt":"${createdAt}","updatedAt":"${updatedAt}"}`;
}

/** The document in the order of the contract, up to and with the comma before its timestamps. */
function documentHead(id: string, data: EmployeeData): string {
  const head: Omit<Employee, 'createdAt' | 'updatedAt'> = {
    id,
    email: data.email,
    privateEmail: data.privateEmail,
    employeeNumber: data.employeeNumber,
    firstName: data.firstName,
    lastName: data.lastName,
    phoneNumber: data.phoneNumber,
    street: data.street,
    postalCode: data.postalCode,
    city: data.city,
    countryCode: data.countryCode,
    additionalInfo: data.additionalInfo,
    blocked: data.blocked,
    tenant: data.tenant,
    divisionId: data.divisionId,
  };
  return `${JSON.stringify(head).slice(0, -1)},`;
}
