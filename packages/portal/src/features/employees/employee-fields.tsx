import { Group, Stack } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import type { RequestOf } from '../../api/ask.ts';
import { isEmailAddress } from '../../kit/email.tsx';
import { useFieldWords } from '../../kit/field-words.tsx';
import { DivisionField } from '../../kit/form/search-fields.tsx';
import { type EditableField, editableFields, type Employee } from './words.tsx';
import { TextArea, TextField } from '../../kit/form/limited-fields.tsx';

/** The form values of an employee. An unknown value is an empty text. */
export type EmployeeValues = Record<EditableField, string>;

export const emptyEmployee = Object.fromEntries(editableFields.map(field => [field, ''])) as EmployeeValues;

export function valuesOf(employee: Employee): EmployeeValues {
  return Object.fromEntries(editableFields.map(field => [field, employee[field] ?? ''])) as EmployeeValues;
}

type Body = RequestOf<'PATCH /employees/{id}'>['body'];

/** The fields of the form that differ from the employee, as the API takes them. */
export function changesIn(values: EmployeeValues, before: EmployeeValues): Body {
  const changed = editableFields.filter(field => cleaned(field, values) !== before[field]);
  return Object.fromEntries(changed.map(field => [field, cleaned(field, values) || null]));
}

function cleaned(field: EditableField, values: EmployeeValues): string {
  const text = values[field].trim();
  return field === 'countryCode' ? text.toUpperCase() : text;
}

/** Says what cannot be sent so. */
export function useProblems() {
  const { t } = useLingui();
  return (values: EmployeeValues) => ({
    firstName: values.firstName.trim() === '' && t`Enter the first name`,
    lastName: values.lastName.trim() === '' && t`Enter the last name`,
    privateEmail:
      values.privateEmail.trim() !== '' &&
      !isEmailAddress(values.privateEmail) &&
      t`Enter an email address, such as anna@example.com`,
    countryCode:
      values.countryCode.trim() !== '' &&
      !/^[a-z]{2}$/i.test(values.countryCode.trim()) &&
      t`Enter two letters, such as DE`,
  });
}

/** The part of a form that the fields need. */
interface Form {
  readonly values: EmployeeValues;
  readonly getInputProps: (field: EditableField) => object;
  readonly setFieldValue: (field: EditableField, value: string) => void;
}

interface Props {
  readonly form: Form;
  /** The company of which a division is chosen; null: none, so without a division. */
  readonly company: string | null;
}

/** The fields of an employee, which HR fills in. */
export function EmployeeFields({ form, company }: Props) {
  const { t } = useLingui();
  const words = useFieldWords();
  const input = (field: EditableField, limit: number) => ({
    label: words[field],
    limit,
    autoComplete: 'off',
    ...form.getInputProps(field),
  });
  const wide = { flex: '1 1 14rem' } as const;
  return (
    <Stack gap="md">
      <Group align="flex-start">
        <TextField {...input('firstName', 200)} required style={wide} />
        <TextField {...input('lastName', 200)} required style={wide} />
      </Group>
      <TextField {...input('employeeNumber', 64)} maw={320} />
      {company !== null && (
        <DivisionField
          name="divisionId"
          company={company}
          label={words.divisionId}
          value={form.values.divisionId || null}
          onChange={division => form.setFieldValue('divisionId', division ?? '')}
        />
      )}
      <Group align="flex-start">
        <TextField type="email" {...input('privateEmail', 254)} style={wide} />
        <TextField type="tel" {...input('phoneNumber', 50)} style={wide} />
      </Group>
      <TextField {...input('street', 200)} />
      <Group align="flex-start">
        <TextField {...input('postalCode', 20)} style={{ flex: '0 1 8rem' }} />
        <TextField {...input('city', 200)} style={wide} />
        <TextField
          {...input('countryCode', 2)}
          description={t`Two letters, such as DE`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          style={{ flex: '0 1 11rem' }}
        />
      </Group>
      <TextArea {...input('additionalInfo', 1000)} autosize minRows={2} />
    </Stack>
  );
}
