import { Box, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import { companyQuery } from '../../api/queries.ts';
import { moment } from '../../kit/dates.ts';
import { DetailPage, Section } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts, TechnicalId } from '../../kit/detail/facts.tsx';
import { DivisionTree } from '../../kit/tree/division-tree.tsx';
import { ancestorsOf, type Tree } from '../../kit/tree/tree.ts';
import shared from '../../kit/shared.module.css';

/** A company with its divisions; the address names the selected one. */
export function CompanyPage() {
  const { t } = useLingui();
  const { id } = useParams({ from: '/shell/companies/$id' });
  const { division } = useSearch({ from: '/shell/companies/$id' });
  const navigate = useNavigate({ from: '/companies/$id' });
  const inspect = (division: string) =>
    void navigate({ search: { division }, replace: true, resetScroll: false });
  return (
    <DetailPage
      answer={useAnswer(companyQuery(id))}
      kind={t`Company`}
      back={{ to: '/companies', name: t`Companies` }}
    >
      {({ name, createdAt }) => (
        <>
          <Box className={shared.surface} p={{ base: 'md', xs: 'lg' }}>
            <Facts>
              <Fact name={t`ID`}>
                <TechnicalId id={id} name={name} />
              </Fact>
              <Fact name={t`Created`}>{moment(createdAt)}</Fact>
            </Facts>
          </Box>
          <Section title={t`Divisions`}>
            <DivisionTree
              tenant={id}
              name={name}
              mode={{ inspected: division, inspect, About: AboutDivision }}
            />
          </Section>
        </>
      )}
    </DetailPage>
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
      <Facts>
        <Fact name={t`ID`}>
          <TechnicalId {...division} />
        </Fact>
        <Fact name={t`Below`}>
          {path.length === 0 ? <Trans>None: it is at the top level</Trans> : path.join(' › ')}
        </Fact>
        <Fact name={t`Cost centre`}>{costCenter ?? <Trans>None</Trans>}</Fact>
        <Fact name={t`Created`}>{moment(createdAt)}</Fact>
        <Fact name={t`Changed`}>{moment(updatedAt)}</Fact>
      </Facts>
    </Box>
  );
}
