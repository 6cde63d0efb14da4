import { Box, Skeleton, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useAnswer } from '../api/answer.ts';
import { companyQuery } from '../api/queries.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { moment } from '../parts/dates.ts';
import { DivisionTree } from '../parts/divisions/division-tree.tsx';
import { ancestorsOf, type Tree } from '../parts/divisions/tree.ts';
import { Failure } from '../parts/failure.tsx';
import { TextLink } from '../parts/link-button.tsx';
import { Page } from '../parts/page.tsx';

/** A company with its divisions; the address says which of them is looked at. */
export function CompanyPage() {
  const { t } = useLingui();
  const { id } = useParams({ from: '/shell/companies/$id' });
  const { division } = useSearch({ from: '/shell/companies/$id' });
  const navigate = useNavigate({ from: '/companies/$id' });
  const { data: company, error, refetch } = useAnswer(companyQuery(id));
  const name = company?.name ?? '';
  return (
    <Page
      title={company?.name ?? t`Company`}
      above={
        <TextLink to="/companies" size="sm">
          <Trans>Companies</Trans>
        </TextLink>
      }
    >
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!company && !error && <Skeleton height={220} radius="lg" />}
      {company && (
        <>
          <Box className="surface" p={{ base: 'md', xs: 'lg' }}>
            <dl className="facts">
              <dt>
                <Trans>Technical id</Trans>
              </dt>
              <dd>
                <span className="mono">{id}</span> <CopyButton text={id} label={t`Copy the id of ${name}`} />
              </dd>
              <dt>
                <Trans>Created</Trans>
              </dt>
              <dd>{moment(company.createdAt)}</dd>
            </dl>
          </Box>
          <Box className="surface" p={{ base: 'md', xs: 'lg' }}>
            <Title order={2} mb="md">
              <Trans>Divisions</Trans>
            </Title>
            <DivisionTree
              tenant={id}
              name={company.name}
              mode={{
                inspected: division,
                inspect: division =>
                  void navigate({ search: { division }, replace: true, resetScroll: false }),
                About: AboutDivision,
              }}
            />
          </Box>
        </>
      )}
    </Page>
  );
}

function AboutDivision({ tree, id }: { tree: Tree; id: string | undefined }) {
  const { t } = useLingui();
  const division = id === undefined ? undefined : tree.byId.get(id);
  if (!division) return null;
  const { name, costCenter, createdAt, updatedAt } = division;
  const path = ancestorsOf(tree, division).map(({ name }) => name);
  return (
    <Box mt="md" role="group" aria-label={t`About ${name}`}>
      <Title order={3} fz="lg" mb="sm" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Title>
      <dl className="facts">
        <dt>
          <Trans>Technical id</Trans>
        </dt>
        <dd>
          <span className="mono">{division.id}</span>{' '}
          <CopyButton text={division.id} label={t`Copy the id of ${name}`} />
        </dd>
        <dt>
          <Trans>Below</Trans>
        </dt>
        <dd>{path.length === 0 ? <Trans>Nothing: it is at the top</Trans> : path.join(' › ')}</dd>
        <dt>
          <Trans>Cost centre</Trans>
        </dt>
        <dd>{costCenter ?? <Trans>None</Trans>}</dd>
        <dt>
          <Trans>Created</Trans>
        </dt>
        <dd>{moment(createdAt)}</dd>
        <dt>
          <Trans>Changed</Trans>
        </dt>
        <dd>{moment(updatedAt)}</dd>
      </dl>
    </Box>
  );
}
