import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link, useSearch } from '@tanstack/react-router';
import type { AnswerOf } from '../../api/ask.ts';
import { companiesQuery } from '../../api/queries.ts';
import { TechnicalId } from '../../kit/detail/facts.tsx';
import type { Column } from '../../kit/list/data-table.tsx';
import { List, NoMatch } from '../../kit/list/list.tsx';
import { allOf, questionOf } from '../../kit/list/search.ts';
import { useList } from '../../kit/list/use-list.ts';
import { Empty, Page } from '../../kit/navigation/page.tsx';
import { When } from '../../kit/when.tsx';
import table from '../../kit/list/table.module.css';

type Company = AnswerOf<'POST /tenants/search'>['items'][number];

/** The companies that the user sees, with the identifiers that integrations know them by. */
export function CompaniesPage() {
  const { t } = useLingui();
  const search = useSearch({ from: '/shell/companies' });
  const list = useList({
    route: 'POST /tenants/search',
    search,
    questionOf: ({ company, ...view }) => {
      const chosen = company && `id = '${company}'`;
      return questionOf({ ...view, filter: allOf(chosen, view.filter) }, ['name', 'id']);
    },
    queryOf: companiesQuery,
  });
  const { total: count } = list;
  return (
    <Page
      title={t`Companies`}
      lead={<Trans>The companies and divisions that you can access. Integrations refer to them by ID.</Trans>}
    >
      <List
        list={list}
        columns={useColumns()}
        exportRoute="POST /tenants/export"
        searchLabel={t`Search by name or ID`}
        count={<Plural value={count} one="# company" other="# companies" />}
        empty={
          list.isNarrowed ? (
            <NoMatch title={t`No matching companies`} showAll={<Trans>Show all companies</Trans>}>
              <Trans>Search for a part of the name or ID, or change the filter.</Trans>
            </NoMatch>
          ) : (
            <Empty icon="building" title={t`No companies yet`}>
              <Trans>
                The operator of this installation creates companies. Divisions and employees are then added
                through the API or an import. You can create keys with access to only some of them.
              </Trans>
            </Empty>
          )
        }
      />
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
        <Link to="/companies/$id" params={{ id }} className={table.rowLink}>
          {name}
        </Link>
      ),
    },
    { label: t`ID`, field: 'id', cell: company => <TechnicalId {...company} /> },
    { label: t`Created`, field: 'createdAt', cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
}
