import { Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useAnswer } from '../api/answer.ts';
import { usersQuery } from '../api/queries.ts';
import { Icon } from '../parts/icon.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { type Column, DataTable } from '../parts/list/data-table.tsx';
import { ListFrame } from '../parts/list/list-frame.tsx';
import { questionOf, type TextSearch } from '../parts/list/search.ts';
import { Toolbar } from '../parts/list/toolbar.tsx';
import { isReadable, useFiltering } from '../parts/list/use-filtering.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';
import { PermissionChips, type User, UserStatus } from './user-parts.tsx';

/** The users of the organization. */
export function UsersPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/shell/settings/users' });
  const navigate = useNavigate({ from: '/settings/users' });
  const asked = questionOf(search, ['name', 'email']);
  const { page, sort } = asked;
  const query = useAnswer({ ...usersQuery(asked), enabled: isReadable(search) });
  const count = query.data?.totalElements ?? 0;
  const change = (changed: TextSearch) =>
    void navigate({ search: before => ({ ...before, ...changed }), replace: 'text' in changed });
  const filtering = useFiltering({ route: 'GET /users', search, change }, query.error);
  const columns = useColumns();
  return (
    <Page
      title={t`Users`}
      lead={<Trans>Who may sign in for the organization, and what each of them may do.</Trans>}
      actions={
        <LinkButton to="/settings/users/new" leftSection={<Icon name="plus" />}>
          <Trans>Invite</Trans>
        </LinkButton>
      }
    >
      <Toolbar
        label={t`Search by name or e-mail`}
        text={search.text}
        search={text => change({ text, page: 1 })}
      >
        {filtering.button}
      </Toolbar>
      {filtering.panel}
      {filtering.problem === null && (
        <ListFrame
          query={query}
          question={JSON.stringify(asked)}
          page={page}
          write={page => change({ page })}
          empty={<NoMatch />}
          count={<Plural value={count} one="# user" other="# users" />}
        >
          {rows => (
            <DataTable rows={rows} columns={columns} sort={sort} sortBy={sort => change({ sort, page: 1 })} />
          )}
        </ListFrame>
      )}
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
      cell: ({ lastSignInAt }) => (lastSignInAt ? <When at={lastSignInAt} /> : <Trans>Never</Trans>),
    },
    { label: t`Created`, field: 'createdAt', cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
}

function NoMatch() {
  const { t } = useLingui();
  return (
    <Empty
      icon="search"
      title={t`No user matches`}
      action={
        <LinkButton to="/settings/users" search={{}} variant="default">
          <Trans>Show all users</Trans>
        </LinkButton>
      }
    >
      <Trans>Search for a part of the name or of the e-mail, or change the filter.</Trans>
    </Empty>
  );
}
