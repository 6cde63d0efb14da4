import { Box } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import { companyQuery, identityQuery } from '../../api/queries.ts';
import { moment } from '../../kit/dates.ts';
import { DetailPage } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts, TechnicalId } from '../../kit/detail/facts.tsx';
import shared from '../../kit/shared.module.css';
import { CompanyRetention } from './company-retention.tsx';
import { Divisions } from './divisions.tsx';

/** A company with its divisions; the address names the selected one. */
export function CompanyPage() {
  const { t } = useLingui();
  const { id } = useParams({ from: '/shell/companies/$id' });
  const { division } = useSearch({ from: '/shell/companies/$id' });
  const navigate = useNavigate({ from: '/companies/$id' });
  const { data: identity } = useQuery(identityQuery);
  const isAdmin = identity?.user.permissions.includes('COMPANY_ADMIN');
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
          <Divisions tenant={id} company={name} inspected={division} inspect={inspect} />
          {isAdmin && <CompanyRetention key={id} id={id} />}
        </>
      )}
    </DetailPage>
  );
}
