import { useLingui } from '@lingui/react/macro';
import { type AnswerOf, recode } from '../../api/ask.ts';
import { Status } from '../../kit/status.tsx';

export type EmployeeDetails = AnswerOf<'GET /employees/{id}'>;
export type Employee = EmployeeDetails['employee'];
export type EmployeeChange = AnswerOf<'GET /employees/{id}/changes'>['items'][number];
export type Erasure = AnswerOf<'GET /employees/{id}/erasure'>;

/** The queries that a change of an employee makes old. */
export const employeeChanges = [['employees']] as const;

/** A rejection of an employee with words of its own. */
export const employeeRejected = recode({ DUPLICATE_RESOURCE: 'EMPLOYEE_EXISTS' });

/** The fields that HR changes, in the order of the form. */
export const editableFields = [
  'firstName',
  'lastName',
  'employeeNumber',
  'divisionId',
  'privateEmail',
  'phoneNumber',
  'street',
  'postalCode',
  'city',
  'countryCode',
  'additionalInfo',
] as const;
export type EditableField = (typeof editableFields)[number];

/** Whether an employee can use the account. */
export function EmployeeState({ blocked }: Pick<Employee, 'blocked'>) {
  const { t } = useLingui();
  return blocked ? (
    <Status status="failing">{t`Blocked`}</Status>
  ) : (
    <Status status="active">{t`Active`}</Status>
  );
}
