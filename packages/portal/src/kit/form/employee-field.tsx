import { useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';
import { employeesQuery } from '../../api/queries.ts';
import { questionOfPersons } from '../list/search.ts';
import { nameOfPerson } from '../person.ts';
import { type FieldProps, SearchedSelect } from './searched-select.tsx';

export type Employee = AnswerOf<'POST /employees/search'>['items'][number];

interface Props extends FieldProps {
  readonly value: Employee | null;
  readonly onChange: (employee: Employee | null) => void;
  /** The company to search in; undefined: all of the user. */
  readonly company?: string | undefined;
}

/** An employee, found by name, number or email among those that the user does the work of HR for. */
export function EmployeeField({ company, ...field }: Props) {
  const { t } = useLingui();
  return (
    <SearchedSelect
      {...field}
      queryOf={text => employeesQuery(questionOfPersons({ text, company }, 20))}
      nameOf={nameOfPerson}
      detailOf={({ employeeNumber, email, blocked }) =>
        [employeeNumber, email, blocked && t`blocked`].filter(Boolean).join(' · ')
      }
      placeholder={t`Name, employee number or email`}
      noMatch={t`No person matches`}
      clearLabel={t`Remove the person`}
    />
  );
}
