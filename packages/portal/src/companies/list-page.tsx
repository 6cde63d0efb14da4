import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useAnswer } from '../api/answer.ts';
import type { AnswerOf } from '../api/ask.ts';
import { companiesQuery } from '../api/queries.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { type Column, DataTable } from '../parts/list/data-table.tsx';
import { ListFrame } from '../parts/list/list-frame.tsx';
import { questionOf, type TextSearch } from '../parts/list/search.ts';
import { Toolbar } from '../parts/list/toolbar.tsx';
import { isReadable, useFiltering } from '../parts/list/use-filtering.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';

type Company = AnswerOf<'GET /tenants'>['items'][number];

/** The companies that the user sees, with the identifiers that integrations know them by. */
export function CompaniesPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/shell/companies' });
  const navigate = useNavigate({ from: '/companies' });
  const asked = questionOf(search, ['name', 'id']);
  const { page, sort } = asked;
  const query = useAnswer({ ...companiesQuery(asked), enabled: isReadable(search) });
  const count = query.data?.totalElements ?? 0;
  const change = (changed: TextSearch) =>
    void navigate({ search: before => ({ ...before, ...changed }), replace: 'text' in changed });
  const filtering = useFiltering({ route: 'GET /tenants', search, change }, query.error);
  const columns = useColumns();
  return (
    <Page
      title={t`Companies`}
      lead={
        <Trans>
          What you see of the organization. Integrations name companies and divisions by their technical ids.
        </Trans>
      }
    >
      <Toolbar label={t`Search by name or id`} text={search.text} search={text => change({ text, page: 1 })}>
        {filtering.button}
      </Toolbar>
      {filtering.panel}
      {filtering.problem === null && (
        <ListFrame
          query={query}
          question={JSON.stringify(asked)}
          page={page}
          write={page => change({ page })}
          empty={asked.filter === undefined ? <NoCompanies /> : <NoMatch />}
          count={<Plural value={count} one="# company" other="# companies" />}
        >
          {rows => (
            <DataTable rows={rows} columns={columns} sort={sort} sortBy={sort => change({ sort, page: 1 })} />
          )}
        </ListFrame>
      )}
    </Page>
  );
}

function useColumns(): Column<Company>[] {
  const { t } = useLingui();
  return [
    {
      label: t`Name`,
      field: 'name',
      cell: ({ id, name }) => (
        <Link to="/companies/$id" params={{ id }} className="row-link">
          {name}
        </Link>
      ),
    },
    { label: t`Technical id`, field: 'id', cell: company => <TechnicalId {...company} /> },
    { label: t`Created`, field: 'createdAt', cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
}

function TechnicalId({ id, name }: Pick<Company, 'id' | 'name'>) {
  const { t } = useLingui();
  return (
    <>
      <span className="mono">{id}</span> <CopyButton text={id} label={t`Copy the id of ${name}`} />
    </>
  );
}

function NoCompanies() {
  const { t } = useLingui();
  return (
    <Empty icon="building" title={t`No companies yet`}>
      <Trans>
        The operator of this installation creates them. Then divisions and employees come in through the API
        or an import, and keys can be made that see only some of them.
      </Trans>
    </Empty>
  );
}

function NoMatch() {
  const { t } = useLingui();
  return (
    <Empty
      icon="search"
      title={t`No company matches`}
      action={
        <LinkButton to="/companies" search={{}} variant="default">
          <Trans>Show all companies</Trans>
        </LinkButton>
      }
    >
      <Trans>Search for a part of the name or of the id, or change the filter.</Trans>
    </Empty>
  );
}
