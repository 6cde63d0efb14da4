import { Alert } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import { employeeChangesQuery, employeeErasureQuery, employeeQuery } from '../../api/queries.ts';
import { moment } from '../../kit/dates.ts';
import { DetailPage } from '../../kit/detail/detail-page.tsx';
import { Tabs } from '../../kit/detail/tabs.tsx';
import { Icon } from '../../kit/icon.tsx';
import { nameOfPerson } from '../../kit/person.ts';
import { EmployeeActions } from './employee-actions.tsx';
import { History, latestOf } from './history.tsx';
import { Overview } from './overview.tsx';
import { Payroll } from './payroll.tsx';
import { KeptByPayroll, PersonalData } from './personal-data.tsx';
import { Incidents, Orders } from './related.tsx';
import { EmployeeState } from './words.tsx';

/** An employee: data, history, orders, incidents, and requests of the person about the data. */
export function EmployeePage() {
  const { t } = useLingui();
  const { id } = useParams({ from: '/shell/employees/$id' });
  const { tab = 'overview' } = useSearch({ from: '/shell/employees/$id' });
  const answer = useAnswer(employeeQuery(id));
  const { data: changes } = useQuery(employeeChangesQuery(id, 1));
  const details = answer.data;
  const isErased = details !== undefined && details.erasedAt !== null;
  const name = details && (isErased ? t`Erased person` : nameOfPerson(details.employee));
  return (
    <DetailPage
      answer={{ ...answer, data: details && { ...details, name: name! } }}
      kind={t`Employee`}
      back={{ to: '/employees', name: t`Employees` }}
      lead={details && <EmployeeState {...details.employee} />}
      actions={details && !isErased && <EmployeeActions details={details} name={name!} />}
      latestChange={latestOf(changes)}
    >
      {details => (
        <>
          {details.erasedAt !== null && <ErasedNotice id={id} at={details.erasedAt} />}
          <Tabs
            label={t`Parts of this page`}
            shown={tab}
            tabs={[
              { id: 'overview', name: <Trans>Overview</Trans> },
              { id: 'history', name: <Trans>History</Trans> },
              { id: 'orders', name: <Trans>Orders</Trans> },
              { id: 'incidents', name: <Trans>Incidents</Trans> },
              { id: 'payroll', name: <Trans>Payroll</Trans> },
              { id: 'personal-data', name: <Trans>Personal data</Trans> },
            ]}
          />
          {tab === 'overview' && <Overview key={id} details={details} />}
          {tab === 'history' && <History id={id} />}
          {tab === 'orders' && <Orders id={id} />}
          {tab === 'incidents' && <Incidents details={details} />}
          {tab === 'payroll' && <Payroll id={id} />}
          {tab === 'personal-data' && <PersonalData details={details} name={details.name} />}
        </>
      )}
    </DetailPage>
  );
}

function ErasedNotice({ id, at }: { id: string; at: string }) {
  const { data } = useQuery(employeeErasureQuery(id));
  return (
    <Alert variant="outline" color="gray" icon={<Icon name="lock" />}>
      <Trans>The data of this person were erased on {moment(at)}.</Trans>{' '}
      {data && <KeptByPayroll {...data} />}
    </Alert>
  );
}
