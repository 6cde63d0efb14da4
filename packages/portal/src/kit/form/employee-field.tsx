import { Select, type SelectProps, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import type { AnswerOf } from '../../api/ask.ts';
import { employeesQuery } from '../../api/queries.ts';
import { allOf, wordsIn } from '../list/search.ts';
import { nameOfPerson } from '../person.ts';

export type Employee = AnswerOf<'POST /employees/search'>['items'][number];

interface Props extends Pick<SelectProps, 'label' | 'required' | 'error' | 'name' | 'description'> {
  readonly value: Employee | null;
  readonly onChange: (employee: Employee | null) => void;
  /** The company to search in; undefined: all of the user. */
  readonly company?: string | undefined;
}

const fields = ['firstName', 'lastName', 'employeeNumber', 'email'];

/** The employees that have all of the words, each somewhere. */
const filterOf = (text: string) =>
  allOf(
    ...text
      .split(/\s+/)
      .filter(Boolean)
      .map(word => wordsIn(word, fields)),
  );

/** An employee, found by name, number or e-mail among those that the user does the work of HR for. */
export function EmployeeField({ value, onChange, company, ...input }: Props) {
  const { t } = useLingui();
  const [text, setText] = useState(value ? nameOfPerson(value) : '');
  const [asked] = useDebouncedValue(text.trim(), 200);
  const isChosen = value !== null && asked === nameOfPerson(value);
  const filter = isChosen ? undefined : filterOf(asked);
  const { data, isPlaceholderData } = useAnswer({
    ...employeesQuery({
      page: 1,
      pageSize: 20,
      sort: 'lastName',
      ...(filter && { filter }),
      ...(company && { tenant: company }),
    }),
    enabled: asked !== '' && !isChosen,
  });
  const found = asked === '' || isChosen ? [] : (data?.items ?? []);
  // The field needs the chosen one for its name, whatever is searched for.
  const employees = value && !found.some(({ id }) => id === value.id) ? [...found, value] : found;
  const byId = new Map(employees.map(employee => [employee.id, employee]));
  const isCurrent = asked === text.trim() && !isPlaceholderData && data !== undefined;
  return (
    <Select
      {...input}
      searchable
      clearable
      placeholder={t`Name, employee number or e-mail`}
      value={value?.id ?? null}
      onChange={id => onChange((id && byId.get(id)) || null)}
      searchValue={text}
      onSearchChange={setText}
      data={employees.map(employee => ({ value: employee.id, label: nameOfPerson(employee) }))}
      // The service has searched.
      filter={({ options }) => options}
      nothingFoundMessage={asked === '' ? undefined : isCurrent ? t`No person matches` : t`Searching …`}
      renderOption={({ option }) => <EmployeeOption employee={byId.get(option.value)!} />}
      clearButtonProps={{ 'aria-label': t`Remove the person` }}
    />
  );
}

function EmployeeOption({ employee }: { employee: Employee }) {
  const { t } = useLingui();
  const { employeeNumber, email, blocked } = employee;
  return (
    <Stack gap={0}>
      <Text size="sm">{nameOfPerson(employee)}</Text>
      <Text size="xs" c="dimmed">
        {[employeeNumber, email, blocked && t`blocked`].filter(Boolean).join(' · ')}
      </Text>
    </Stack>
  );
}
