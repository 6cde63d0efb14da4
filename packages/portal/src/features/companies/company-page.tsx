import { Box } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import { companyQuery, usePermission } from '../../api/queries.ts';
import { moment } from '../../kit/dates.ts';
import { DetailPage } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts, TechnicalId } from '../../kit/detail/facts.tsx';
import { Tabs } from '../../kit/detail/tabs.tsx';
import { ApprovalRule } from './approval-rule.tsx';
import { CompanyRetention, Retention } from './company-retention.tsx';
import { Divisions } from './divisions.tsx';
import { PayrollSettings } from './payroll-settings.tsx';
import { RenameButton } from './rename-button.tsx';
import shared from '../../kit/shared.module.css';

/** A company with its divisions; the address names the selected one. */
export function CompanyPage() {
  const { t } = useLingui();
  const { id } = useParams({ from: '/shell/companies/$id' });
  const { division, tab: chosen } = useSearch({ from: '/shell/companies/$id' });
  const isAdmin = usePermission('COMPANY_ADMIN');
  const tab = (isAdmin && chosen) || 'divisions';
  const navigate = useNavigate({ from: '/companies/$id' });
  const answer = useAnswer(companyQuery(id));
  const inspect = (division: string) =>
    void navigate({ search: { division }, replace: true, resetScroll: false });
  return (
    <DetailPage
      answer={answer}
      kind={t`Company`}
      back={{ to: '/companies', name: t`Companies` }}
      actions={isAdmin && answer.data && <RenameButton key={id} company={answer.data} />}
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
          {isAdmin && <CompanyTabs shown={tab} />}
          {tab === 'divisions' && (
            <Divisions tenant={id} company={name} inspected={division} inspect={inspect} />
          )}
          {tab === 'payroll' && <PayrollSettings key={id} company={id} />}
          {tab === 'approval' && <ApprovalRule key={id} company={id} />}
          {tab === 'retention' && (
            <>
              <CompanyRetention key={id} id={id} />
              <Retention company={id} />
            </>
          )}
        </>
      )}
    </DetailPage>
  );
}

/** All parts but the first are for company admins. */
function CompanyTabs({ shown }: { shown: string }) {
  const { t } = useLingui();
  return (
    <Tabs
      label={t`Parts of the company`}
      shown={shown}
      tabs={[
        { id: 'divisions', name: t`Divisions` },
        { id: 'payroll', name: t`Payroll settings` },
        { id: 'approval', name: t`Approval rule` },
        { id: 'retention', name: t`Retention` },
      ]}
    />
  );
}
