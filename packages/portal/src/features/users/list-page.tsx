import { Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ask } from '../../api/ask.ts';
import { identityQuery, usersQuery, useTenantWords } from '../../api/queries.ts';
import type { Column } from '../../kit/list/data-table.tsx';
import { List, NoMatch } from '../../kit/list/list.tsx';
import { questionOf } from '../../kit/list/search.ts';
import type { RowAction } from '../../kit/list/row-action.ts';
import { useList } from '../../kit/list/use-list.ts';
import { CreateLink } from '../../kit/navigation/link-button.tsx';
import { Page } from '../../kit/navigation/page.tsx';
import { usePermissionWords } from '../../kit/permission-words.tsx';
import { When, WhenOrNever } from '../../kit/when.tsx';
import { PermissionChips, type User, userChanges, useStatusWords, UserStatus } from './user-parts.tsx';
import table from '../../kit/list/table.module.css';

/** The users of the organization. */
export function UsersPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/shell/settings/users' });
  const list = useList({
    route: 'POST /users/search',
    search,
    questionOf: view => questionOf(view, ['name', 'email']),
    queryOf: usersQuery,
  });
  const { total: count } = list;
  return (
    <Page
      title={t`Users`}
      lead={<Trans>Users who can sign in, and their permissions.</Trans>}
      actions={
        <CreateLink to="/settings/users/new">
          <Trans>Invite</Trans>
        </CreateLink>
      }
    >
      <List
        list={list}
        columns={useColumns()}
        valueWords={{ status: useStatusWords() }}
        actions={useUserActions()}
        exportRoute="POST /users/export"
        searchLabel={t`Search by name or email`}
        count={<Plural value={count} one="# user" other="# users" />}
        empty={
          <NoMatch title={t`No matching users`} showAll={<Trans>Show all users</Trans>}>
            <Trans>Search for a part of the name or email, or change the filter.</Trans>
          </NoMatch>
        }
      />
    </Page>
  );
}

function useUserActions(): RowAction<User>[] {
  const { t } = useLingui();
  const { data: identity } = useQuery(identityQuery);
  return [
    {
      label: t`Deactivate`,
      applies: ({ id, status }) => status !== 'inactive' && id !== identity?.user.id,
      consequences: (
        <Trans>
          A deactivated user is signed out everywhere and cannot sign in until you reactivate them.
        </Trans>
      ),
      changes: userChanges,
      act: ({ id }) => ask('POST /users/{id}/deactivation', { id }),
    },
    {
      label: t`Reactivate`,
      applies: ({ status }) => status === 'inactive',
      consequences: <Trans>They can sign in again.</Trans>,
      changes: userChanges,
      act: ({ id }) => ask('POST /users/{id}/reactivation', { id }),
    },
  ];
}

function useColumns(): Column<User>[] {
  const { t } = useLingui();
  return [
    {
      label: t`Name`,
      field: 'name',
      file: [
        { field: 'name', label: t`Name` },
        { field: 'email', label: t`Email` },
      ],
      cell: ({ id, name, email }) => (
        <>
          <Link to="/settings/users/$id" params={{ id }} className={table.rowLink}>
            {name}
          </Link>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
        </>
      ),
    },
    {
      label: t`Permissions`,
      id: 'permissions',
      file: [
        {
          field: 'permissions',
          label: t`Permissions`,
          words: Object.fromEntries(
            Object.entries(usePermissionWords()).map(([permission, { name }]) => [permission, name]),
          ),
        },
        { field: 'hrTenants', label: t`Companies of HR`, words: useTenantWords() },
      ],
      cell: user => <PermissionChips user={user} />,
    },
    {
      label: t`Status`,
      field: 'status',
      words: useStatusWords(),
      cell: ({ status }) => <UserStatus status={status} />,
    },
    {
      label: t`Last sign-in`,
      field: 'lastSignInAt',
      cell: ({ lastSignInAt }) => <WhenOrNever at={lastSignInAt} />,
    },
    { label: t`Created`, field: 'createdAt', cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
}
