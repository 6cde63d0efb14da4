import { NativeSelect } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAnswer } from '../api/answer.ts';
import { keysQuery } from '../api/queries.ts';
import { Icon } from '../parts/icon.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { ListFrame } from '../parts/list/list-frame.tsx';
import { Toolbar } from '../parts/list/toolbar.tsx';
import { isReadable, useFiltering } from '../parts/list/use-filtering.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { useIsWide } from '../parts/wide.ts';
import { KeyCards } from './key-cards.tsx';
import { KeyTable } from './key-table.tsx';
import { type KeysSearch, questionOf, type Show, wordsOf } from './search.ts';

/** The keys, filtered, sorted and paged by the service; the address says how. */
export function KeysPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/shell/settings/api-keys' });
  const navigate = useNavigate({ from: '/settings/api-keys' });
  const [now] = useState(Date.now);
  const wide = useIsWide();
  const asked = questionOf(search, now);
  const { page, sort } = asked;
  const query = useAnswer({ ...keysQuery(asked), enabled: isReadable(search) });
  const count = query.data?.totalElements ?? 0;
  const change = (changed: KeysSearch) =>
    void navigate({ search: before => ({ ...before, ...changed }), replace: 'text' in changed });
  const filtering = useFiltering({ route: 'GET /api-keys', search, change }, query.error);
  const filtered = search.text !== undefined || search.show !== undefined || search.filter !== undefined;
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
      <Filters search={search} change={change} button={filtering.button} />
      {filtering.panel}
      {filtering.problem === null && (
        <ListFrame
          query={query}
          question={JSON.stringify(asked)}
          page={page}
          write={page => change({ page })}
          empty={filtered ? <NoMatch /> : <NoKeys />}
          count={<Plural value={count} one="# key" other="# keys" />}
        >
          {keys =>
            wide ? (
              <KeyTable keys={keys} sort={sort} sortBy={sort => change({ sort, page: 1 })} />
            ) : (
              <KeyCards keys={keys} sort={sort} sortBy={sort => change({ sort, page: 1 })} />
            )
          }
        </ListFrame>
      )}
    </Page>
  );
}

interface FiltersProps {
  readonly search: KeysSearch;
  readonly change: (changed: KeysSearch) => void;
  readonly button: ReactNode;
}

function Filters({ search, change, button }: FiltersProps) {
  const { t } = useLingui();
  const shows: { value: Show | ''; label: string }[] = [
    { value: '', label: t`All but deleted` },
    { value: 'active', label: t`Active` },
    { value: 'inactive', label: t`Inactive` },
    { value: 'expired', label: t`Expired` },
    { value: 'noRecentActivity', label: t`Fallen silent` },
    { value: 'ending', label: t`Ends within 30 days` },
    { value: 'endless', label: t`Never ends` },
    { value: 'unused', label: t`Unused for 90 days` },
    { value: 'deleted', label: t`Deleted` },
  ];
  return (
    <Toolbar
      label={t`Search by name or id`}
      text={search.text}
      search={text => change({ text: wordsOf(text), page: 1 })}
    >
      <NativeSelect
        aria-label={t`Show`}
        data={shows}
        value={search.show ?? ''}
        onChange={({ currentTarget }) =>
          change({ show: (currentTarget.value as Show) || undefined, page: 1 })
        }
        style={{ flex: '0 1 220px' }}
      />
      {button}
    </Toolbar>
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
