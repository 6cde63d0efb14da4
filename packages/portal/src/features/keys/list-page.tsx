import { NativeSelect } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link, useSearch } from '@tanstack/react-router';
import { ask } from '../../api/ask.ts';
import type { Show } from '../../api/key-sets.ts';
import { keysQuery, useTenantWords } from '../../api/queries.ts';
import { number } from '../../kit/dates.ts';
import { useFieldWords } from '../../kit/field-words.tsx';
import type { Column } from '../../kit/list/data-table.tsx';
import { List, NoMatch } from '../../kit/list/list.tsx';
import type { RowAction } from '../../kit/list/row-action.ts';
import { useList } from '../../kit/list/use-list.ts';
import { CreateLink } from '../../kit/navigation/link-button.tsx';
import { Empty, Page } from '../../kit/navigation/page.tsx';
import { When, WhenOrNever } from '../../kit/when.tsx';
import {
  HealthState,
  type Key,
  keyChanges,
  Maker,
  ScopeChips,
  textOf,
  useHealthWords,
} from './key-parts.tsx';
import { PurposeHint } from './key-purpose.tsx';
import { questionOf, wordsOf } from './search.ts';
import shared from '../../kit/shared.module.css';
import table from '../../kit/list/table.module.css';
import styles from './keys.module.css';

/** The keys, filtered, sorted and paged by the service, by the address. */
export function KeysPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/shell/settings/api-keys' });
  const list = useList({
    route: 'POST /api-keys/search',
    search,
    questionOf,
    queryOf: keysQuery,
  });
  const { total: count } = list;
  const words = useHealthWords();
  return (
    <Page
      title={t`API keys`}
      lead={<Trans>Each connected system has its own API key, which defines its access.</Trans>}
      actions={
        <CreateLink to="/settings/api-keys/new">
          <Trans>Create</Trans>
        </CreateLink>
      }
    >
      <List
        list={list}
        columns={useColumns()}
        actions={useKeyActions()}
        valueWords={{ health: words, status: words }}
        exportRoute="POST /api-keys/export"
        searchLabel={t`Search by name or ID`}
        cleanText={wordsOf}
        narrowing={<ShowSelect show={search.show} change={show => list.change({ show })} />}
        count={<Plural value={count} one="# key" other="# keys" />}
        empty={
          list.isNarrowed ? (
            <NoMatch title={t`No matching keys`} showAll={<Trans>Show all keys</Trans>}>
              <Trans>Search for a part of the name or ID, or show other keys.</Trans>
            </NoMatch>
          ) : (
            <NoKeys />
          )
        }
      />
    </Page>
  );
}

function useKeyActions(): RowAction<Key>[] {
  const { t } = useLingui();
  return [
    {
      label: t`Deactivate`,
      applies: ({ status }) => status === 'active',
      consequences: (
        <Trans>Requests are rejected within a second. You can reactivate a key at any time.</Trans>
      ),
      changes: keyChanges,
      act: ({ id }) => ask('POST /api-keys/{id}/deactivation', { id }),
    },
    {
      label: t`Reactivate`,
      applies: ({ status }) => status === 'inactive',
      consequences: <Trans>Requests are accepted again within a second.</Trans>,
      changes: keyChanges,
      act: ({ id }) => ask('POST /api-keys/{id}/reactivation', { id }),
    },
  ];
}

function useColumns(): Column<Key>[] {
  const { t } = useLingui();
  const words = useFieldWords();
  return [
    {
      label: t`Name`,
      field: 'name',
      file: [
        { field: 'name', label: t`Name` },
        { field: 'id', label: t`ID` },
      ],
      cell: key => (
        <>
          <Link to="/settings/api-keys/$id" params={{ id: key.id }} className={table.rowLink}>
            {key.name}
          </Link>
          <div className={`${shared.hint} ${shared.mono}`}>{textOf(key)}</div>
        </>
      ),
    },
    {
      label: t`Access`,
      id: 'scope',
      file: [
        {
          field: 'wholeOrganization',
          label: words['wholeOrganization']!,
          words: { true: t`Yes`, false: t`No` },
        },
        { field: 'tenants', label: t`Companies`, words: useTenantWords() },
      ],
      cell: key => (
        <>
          <ScopeChips scope={key} />
          <PurposeHint {...key} />
        </>
      ),
    },
    {
      label: t`Status`,
      id: 'health',
      field: 'urgency',
      file: [{ field: 'health', label: t`Status`, words: useHealthWords() }],
      cell: key => <HealthState shown={key} />,
    },
    {
      label: t`30 days`,
      field: 'requests',
      file: (['requests', 'rejections'] as const).map(field => ({ field, label: words[field]! })),
      cell: key => <Spark shown={key} />,
    },
    {
      label: t`Last used`,
      field: 'lastUsedAt',
      isSecondary: true,
      cell: ({ lastUsedAt }) => <WhenOrNever at={lastUsedAt} />,
    },
    {
      label: t`Expires`,
      field: 'expiresAt',
      isSecondary: true,
      cell: ({ expiresAt }) => <WhenOrNever at={expiresAt} />,
    },
    {
      label: t`Created`,
      field: 'createdAt',
      isExtra: true,
      file: (['createdAt', 'createdBy'] as const).map(field => ({ field, label: words[field]! })),
      cell: ({ createdAt, createdBy }) => (
        <>
          <When at={createdAt} />
          {createdBy !== null && (
            <div className={shared.hint}>
              <Maker name={createdBy} />
            </div>
          )}
        </>
      ),
    },
  ];
}

interface ShowSelectProps {
  readonly show: Show | undefined;
  readonly change: (show: Show | undefined) => void;
}

function ShowSelect({ show, change }: ShowSelectProps) {
  const { t } = useLingui();
  const words = useHealthWords();
  const health = (value: Key['health']) => ({ value, label: words[value] });
  const shows: { value: Show | ''; label: string }[] = [
    { value: '', label: t`All except deleted` },
    ...(['active', 'failing', 'no_recent_activity', 'being_replaced', 'never_used'] as const).map(health),
    ...(['inactive', 'expired'] as const).map(health),
    { value: 'ending', label: t`Expires within 30 days` },
    { value: 'endless', label: t`Never expires` },
    { value: 'unused', label: t`Not used for 90 days` },
    health('deleted'),
  ];
  return (
    <NativeSelect
      aria-label={t`Show`}
      data={shows}
      value={show ?? ''}
      onChange={({ currentTarget }) => change((currentTarget.value as Show) || undefined)}
      style={{ flex: '0 1 220px' }}
    />
  );
}

function NoKeys() {
  const { t } = useLingui();
  return (
    <Empty
      icon="key"
      title={t`No keys yet`}
      action={
        <CreateLink to="/settings/api-keys/new">
          <Trans>Create your first key</Trans>
        </CreateLink>
      }
    >
      <Trans>
        An API key lets a system, such as payroll software, read and write data in Kontor. Create one key for
        each system, with only the access that it needs. You can then deactivate one system without affecting
        the others.
      </Trans>
    </Empty>
  );
}

const width = 3;
const height = 24;

/** The outline of a bar for each day, from its height: a path for all days is one element instead of thirty in each row. */
function bars(heights: readonly number[]): string {
  return heights
    .map((tall, day) => (tall === 0 ? '' : `M${day * (width + 1)} ${height}v${-tall}h${width}v${tall}z`))
    .join('');
}

/** The use of thirty days in one cell: bars, which screen readers skip, and the numbers. */
function Spark({ shown }: { shown: Key }) {
  const { requestsByDay, rejectionsByDay } = shown;
  const highest = Math.max(1, ...requestsByDay);
  // A day with a single request among thousands is still one with requests.
  const part = (count: number) => (count === 0 ? 0 : Math.max(2, (count / highest) * height));
  const whole = requestsByDay.map(part);
  const rejected = rejectionsByDay.map((count, day) => Math.min(whole[day]!, part(count)));
  const { requests } = shown;
  const rejections = number(shown.rejections);
  if (requests === 0)
    return (
      <span className={shared.aside}>
        <Trans>None</Trans>
      </span>
    );
  return (
    <div>
      <svg
        width={requestsByDay.length * (width + 1)}
        height={height}
        aria-hidden="true"
        focusable="false"
        className={styles.spark}
      >
        <path data-kind="none" d={bars(requestsByDay.map(() => 1))} />
        <path data-kind="fine" d={bars(whole)} />
        <path data-kind="rejected" d={bars(rejected)} />
      </svg>
      <div className={shared.hint}>
        <Plural value={requests} one="# request" other="# requests" />
        {shown.rejections > 0 && (
          <>
            , <Trans>{rejections} without success</Trans>
          </>
        )}
      </div>
    </div>
  );
}
