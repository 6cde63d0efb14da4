import { finderOf, searchedText } from '@kontor/contract/filter';
import { Select, type SelectProps, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useLingui } from '@lingui/react/macro';
import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import type { AnswerOf } from '../../api/ask.ts';
import { employeesQuery, resultQuery, searchQuery, tenantsQuery } from '../../api/queries.ts';
import { questionOfPersons } from '../list/search.ts';
import { placeOf, type SearchKind, type SearchResult } from '../search/search-kinds.tsx';
import { nameOfPerson } from '../person.ts';

/** The looks of a field in which one of many is searched. */
type FieldProps = Pick<
  SelectProps,
  'label' | 'required' | 'error' | 'name' | 'description' | 'disabled' | 'aria-label' | 'onFocus' | 'onBlur'
>;

interface SearchAnswer<Item> {
  readonly items: readonly Item[];
}

interface SelectSearchProps<
  Item,
  Answer extends SearchAnswer<Item>,
  Key extends QueryKey,
> extends FieldProps {
  readonly value: Item | null;
  readonly onChange: (item: Item | null) => void;
  /** Asks the service for those that match a text. */
  readonly queryOf: (text: string) => UseQueryOptions<Answer, Error, Answer, Key>;
  /** Whether the first ones are offered before anything is typed. */
  readonly offersFirst?: boolean;
  readonly nameOf: (item: Item) => string;
  /** A line that tells one from others of its name. */
  readonly detailOf: (item: Item) => string;
  readonly placeholder: string;
  /** Words for no match, and for the button that removes the value. */
  readonly noMatch: string;
  readonly clearLabel: string;
}

/** Finds one of many by typing: the service searches, and the chosen one stays named meanwhile. */
function SearchedSelect<
  Item extends { readonly id: string },
  Answer extends SearchAnswer<Item>,
  Key extends QueryKey,
>(props: SelectSearchProps<Item, Answer, Key>) {
  const { value, onChange, queryOf, offersFirst = false, nameOf, detailOf, ...field } = props;
  const { noMatch, clearLabel, ...input } = field;
  const { t } = useLingui();
  const [text, setText] = useState(value ? nameOf(value) : '');
  const [settled] = useDebouncedValue(text.trim(), 200);
  const isChosen = value !== null && text.trim() === nameOf(value);
  const asked = isChosen ? '' : settled;
  const isAsked = asked !== '' || offersFirst;
  const { data, isPlaceholderData } = useAnswer({ ...queryOf(asked), enabled: isAsked });
  const found = isAsked ? (data?.items ?? []) : [];
  // The field needs the chosen one for its name, whatever is searched for.
  const items = value && !found.some(({ id }) => id === value.id) ? [...found, value] : found;
  const byId = new Map(items.map(item => [item.id, item]));
  const isCurrent = (isChosen || asked === text.trim()) && !isPlaceholderData && data !== undefined;
  return (
    <Select
      {...input}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      searchable
      clearable
      allowDeselect={false}
      value={value?.id ?? null}
      onChange={id => onChange((id && byId.get(id)) || null)}
      searchValue={text}
      onSearchChange={setText}
      // Those of the text before cannot be picked while the service searches.
      data={items.map(item => ({ value: item.id, label: nameOf(item), disabled: !isCurrent }))}
      // The service has searched. The chosen one is offered only where it matches.
      filter={({ options }) =>
        options.filter(option => 'value' in option && found.some(({ id }) => id === option.value))
      }
      nothingFoundMessage={isAsked ? (isCurrent ? noMatch : t`Searching …`) : undefined}
      renderOption={({ option }) => {
        const item = byId.get(option.value);
        return item && <Option name={nameOf(item)} detail={detailOf(item)} />;
      }}
      clearButtonProps={{ 'aria-label': clearLabel }}
    />
  );
}

function Option({ name, detail }: { name: string; detail: string }) {
  return (
    <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm">{name}</Text>
      {detail && (
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      )}
    </Stack>
  );
}

interface IdFieldProps extends FieldProps {
  /** The identifier. */
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

interface InCompany {
  /** The company to search in; undefined: all of the user. */
  readonly company?: string | undefined;
}

interface SearchFieldProps extends IdFieldProps, InCompany {
  readonly kinds: SearchKind[];
  readonly placeholder: string;
  readonly noMatch: string;
  readonly clearLabel: string;
}

/** One of these kinds, found by the search over everything. Those of one name differ by their place. */
export function SearchField({ kinds, value, onChange, company, ...field }: SearchFieldProps) {
  const { data } = useQuery({ ...resultQuery(value ?? '', kinds), enabled: value !== null });
  const chosen = value === null ? null : (data?.items[0] ?? unnamed(value, kinds));
  const detailOf = ({ detail, path }: SearchResult) =>
    placeOf({ detail: company === undefined ? detail : null, path });
  return (
    <SearchedSelect
      {...field}
      description={(chosen && detailOf(chosen)) || field.description}
      value={chosen}
      onChange={item => onChange(item?.id ?? null)}
      queryOf={text => searchQuery({ text, kinds }, company)}
      offersFirst
      nameOf={({ name }) => name}
      detailOf={detailOf}
    />
  );
}

/** The one of an identifier until its name is known, and one that is out of reach. */
function unnamed(id: string, [kind]: SearchKind[]): SearchResult {
  return { kind: kind!, id, name: id, detail: null, tenant: null, path: [] };
}

/** A division, found by name, cost centre or identifier. */
export function DivisionField(field: IdFieldProps & InCompany) {
  const { t } = useLingui();
  return (
    <SearchField
      {...field}
      kinds={['division']}
      placeholder={t`Name, cost centre or ID`}
      noMatch={t`No matching divisions.`}
      clearLabel={t`Remove the division`}
    />
  );
}

export type Employee = AnswerOf<'POST /employees/search'>['items'][number];

interface EmployeeFieldProps extends FieldProps, InCompany {
  readonly value: Employee | null;
  readonly onChange: (employee: Employee | null) => void;
}

/** An employee, found by name, number or email among those that the user does the work of HR for. */
export function EmployeeField({ company, ...field }: EmployeeFieldProps) {
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

/** One of the companies that the user sees, found by name. */
export function CompanyField({ value, ...field }: IdFieldProps) {
  const { t } = useLingui();
  const companies = useQuery(tenantsQuery).data?.items ?? [];
  const isKnown = value === null || companies.some(({ id }) => id === value);
  return (
    <Select
      {...field}
      searchable
      clearable
      limit={50}
      filter={({ options, search, limit }) => {
        const isFound = finderOf(search);
        return options
          .filter(option => 'label' in option && isFound(searchedText(option.label)))
          .slice(0, limit);
      }}
      value={value}
      data={[
        ...(isKnown ? [] : [{ value, label: value }]),
        ...companies.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      placeholder={t`Search for a company`}
      nothingFoundMessage={t`No matching companies`}
      clearButtonProps={{ 'aria-label': t`Remove the company` }}
    />
  );
}
