import { Select, type SelectProps, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useLingui } from '@lingui/react/macro';
import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';

/** The looks of a field in which one of many is searched. */
export type FieldProps = Pick<
  SelectProps,
  'label' | 'required' | 'error' | 'name' | 'description' | 'disabled' | 'aria-label' | 'onFocus' | 'onBlur'
>;

interface Found<Item> {
  readonly items: readonly Item[];
}

interface Props<Item, Answer extends Found<Item>, Key extends QueryKey> extends FieldProps {
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
export function SearchedSelect<
  Item extends { readonly id: string },
  Answer extends Found<Item>,
  Key extends QueryKey,
>(props: Props<Item, Answer, Key>) {
  const {
    value,
    onChange,
    queryOf,
    offersFirst = false,
    nameOf,
    detailOf,
    noMatch,
    clearLabel,
    ...input
  } = props;
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
