import { Group, Pagination, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { keysQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { KeyCards } from './key-cards.tsx';
import { KeyTable } from './key-table.tsx';
import { filterOf, type ListSearch, type Show } from './search.ts';

const pageSize = 25;

/** The keys, filtered, sorted and paged by the service; the address says how. */
export function KeysPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/shell/settings/api-keys' });
  const navigate = useNavigate({ from: '/settings/api-keys' });
  const [now] = useState(Date.now);
  const { page = 1, sort = '-createdAt' } = search;
  const wide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const query = { page, pageSize, sort, filter: filterOf(search, now) };
  const { data, error, refetch, isPlaceholderData } = useQuery(keysQuery(query));
  const change = (changed: ListSearch) =>
    void navigate({ search: before => ({ ...before, ...changed }), replace: 'text' in changed });
  const filtered = search.text !== undefined || search.show !== undefined;
  return (
    <Page
      title={t`API keys`}
      lead={<Trans>Each system that works with Kontor has a key of its own, which says what it sees.</Trans>}
      actions={
        <LinkButton to="/settings/api-keys/new" leftSection={<Icon name="plus" />}>
          <Trans>Create</Trans>
        </LinkButton>
      }
    >
      <Filters search={search} change={change} />
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.totalElements === 0 && (filtered ? <NoMatch /> : <NoKeys />)}
      {data && data.totalElements > 0 && (
        <Stack gap="sm" style={{ opacity: isPlaceholderData ? 0.6 : 1 }} aria-busy={isPlaceholderData}>
          {wide ? (
            <KeyTable keys={data.items} sort={sort} sortBy={sort => change({ sort, page: 1 })} />
          ) : (
            <KeyCards keys={data.items} />
          )}
          <Group justify="space-between">
            <Text size="sm" c="dimmed" role="status">
              <Plural value={data.totalElements} one="# key" other="# keys" />
            </Text>
            {data.totalPages > 1 && (
              <Pagination
                size="sm"
                total={data.totalPages}
                value={page}
                onChange={page => change({ page })}
                getControlProps={control => ({
                  'aria-label': control === 'next' ? t`Next page` : t`Previous page`,
                })}
                getItemProps={page => ({ 'aria-label': t`Page ${page}` })}
              />
            )}
          </Group>
        </Stack>
      )}
    </Page>
  );
}

function Filters({ search, change }: { search: ListSearch; change: (changed: ListSearch) => void }) {
  const { t } = useLingui();
  const [text, setText] = useState(search.text ?? '');
  const searchFor = useDebouncedCallback((text: string) => change({ text: text || undefined, page: 1 }), 250);
  const shows: { value: Show | ''; label: string }[] = [
    { value: '', label: t`All but deleted` },
    { value: 'active', label: t`Active` },
    { value: 'inactive', label: t`Inactive` },
    { value: 'expired', label: t`Expired` },
    { value: 'silent', label: t`Fallen silent` },
    { value: 'ending', label: t`Ends within 30 days` },
    { value: 'endless', label: t`Never ends` },
    { value: 'unused', label: t`Unused for 90 days` },
    { value: 'deleted', label: t`Deleted` },
  ];
  return (
    <Group gap="sm">
      <TextInput
        type="search"
        aria-label={t`Search by name or id`}
        placeholder={t`Search by name or id`}
        leftSection={<Icon name="search" size={16} />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          searchFor(currentTarget.value);
        }}
        style={{ flex: '1 1 220px', maxWidth: 380 }}
      />
      <Select
        aria-label={t`Show`}
        data={shows}
        value={search.show ?? ''}
        allowDeselect={false}
        onChange={show => change({ show: show || undefined, page: 1 })}
        style={{ flex: '0 1 220px' }}
      />
    </Group>
  );
}

function Loading() {
  return (
    <Stack gap="xs" aria-hidden>
      {[1, 2, 3, 4, 5].map(each => (
        <Skeleton key={each} height={48} radius="md" />
      ))}
    </Stack>
  );
}

function NoMatch() {
  const { t } = useLingui();
  return (
    <Empty
      icon="search"
      title={t`No key matches`}
      action={
        <LinkButton to="/settings/api-keys" search={{}} variant="default">
          <Trans>Show all keys</Trans>
        </LinkButton>
      }
    >
      <Trans>Search for a part of the name or of the id, or show other keys.</Trans>
    </Empty>
  );
}

function NoKeys() {
  const { t } = useLingui();
  return (
    <Empty
      icon="key"
      title={t`No keys yet`}
      action={
        <LinkButton to="/settings/api-keys/new" leftSection={<Icon name="plus" />}>
          <Trans>Create the first key</Trans>
        </LinkButton>
      }
    >
      <Trans>
        A key lets a system, such as the payroll software of a company, read and write with Kontor. Give each
        system its own, and let it see only what it needs: then you can stop one without stopping the others.
      </Trans>
    </Empty>
  );
}
