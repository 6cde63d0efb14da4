import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type AnswerOf, recode } from '../../api/ask.ts';
import { divisionsByIdQuery, useTenantNames } from '../../api/queries.ts';
import { moment } from '../../kit/dates.ts';
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

/** Renders values of fields, with the names of companies and of the given divisions. Null has no words. */
export function useValueWords(
  divisionIds: readonly string[],
): (field: string, value: string | boolean | null) => string | null {
  const { t, i18n } = useLingui();
  const tenantName = useTenantNames();
  const ids = [...new Set(divisionIds)];
  const { data } = useQuery({ ...divisionsByIdQuery(ids), enabled: ids.length > 0 });
  const countries = new Intl.DisplayNames([i18n.locale], { type: 'region' });
  return (field, value) => {
    if (value === null || value === '') return null;
    const text = String(value);
    switch (field) {
      case 'blocked':
        return text === 'true' ? t`Yes` : t`No`;
      case 'tenant':
        return tenantName(text) ?? text;
      case 'divisionId':
        return data?.items.find(({ id }) => id === text)?.name ?? text;
      case 'countryCode':
        return countries.of(text) ?? text;
      case 'activatedAt':
        return moment(text);
      default:
        return text;
    }
  };
}
