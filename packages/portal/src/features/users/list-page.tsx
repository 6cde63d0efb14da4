import { Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link, useSearch } from '@tanstack/react-router';
import { usersQuery } from '../../api/queries.ts';
import type { Column } from '../../kit/list/data-table.tsx';
import { List, NoMatch } from '../../kit/list/list.tsx';
import { questionOf } from '../../kit/list/search.ts';
import { useList } from '../../kit/list/use-list.ts';
import { CreateLink } from '../../kit/navigation/link-button.tsx';
import { Page } from '../../kit/navigation/page.tsx';
import { When, WhenOrNever } from '../../kit/when.tsx';
import { PermissionChips, type User, UserStatus } from './user-parts.tsx';

/** The users of the organization. */
export function UsersPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/shell/settings/users' });
  const question = questionOf(search, ['name', 'email']);
  const list = useList({ route: 'GET /users', search, question, query: usersQuery(question) });
  const { total: count } = list;
  return (
    <Page
      title={t`Users`}
      lead={<Trans>Who may sign in for the organization, and what each of them may do.</Trans>}
      actions={
        <CreateLink to="/settings/users/new">
          <Trans>Invite</Trans>
        </CreateLink>
      }
    >
      <List
        list={list}
        columns={useColumns()}
        searchLabel={t`Search by name or e-mail`}
        count={<Plural value={count} one="# user" other="# users" />}
        empty={
          <NoMatch title={t`No user matches`} showAll={<Trans>Show all users</Trans>}>
            <Trans>Search for a part of the name or of the e-mail, or change the filter.</Trans>
          </NoMatch>
        }
      />
    </Page>
  );
}

function useColumns(): Column<User>[] {
  const { t } = useLingui();
  return [
    {
      label: t`Name`,
      field: 'name',
      cell: ({ id, name, email }) => (
        <>
          <Link to="/settings/users/$id" params={{ id }} className="row-link">
            {name}
          </Link>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
        </>
      ),
    },
    { label: t`May`, cell: user => <PermissionChips user={user} /> },
    { label: t`Status`, field: 'status', cell: ({ status }) => <UserStatus status={status} /> },
    {
      label: t`Last sign-in`,
      field: 'lastSignInAt',
      cell: ({ lastSignInAt }) => <WhenOrNever at={lastSignInAt} />,
    },
    { label: t`Created`, field: 'createdAt', cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
}
