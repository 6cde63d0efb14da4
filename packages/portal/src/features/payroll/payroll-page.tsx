import { Group, Stack } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useSearch } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import { payrollRunsQuery, payrollSettingsQuery, usePermission } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { monthName } from '../../kit/dates.ts';
import { isUnavailable } from '../../kit/failure.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useOpenPanel } from '../../kit/navigation/panel.ts';
import { ChooseCompany, useOneCompany } from '../../kit/navigation/company.tsx';
import { LinkButton, TextLink } from '../../kit/navigation/link-button.tsx';
import { Empty, Page } from '../../kit/navigation/page.tsx';
import { FailureOf, PayrollRunView } from './run-view.tsx';
import { Proposals } from './proposals.tsx';
import { Receivables } from './receivables.tsx';
import { TwelveMonths } from './months.tsx';
import { monthAway, presentMonth } from './search.ts';
import { StartRun } from './start-run.tsx';
import { EmployeeSearch, WhyPanel } from './why-panel.tsx';
import { type Run, type Runs as RunsOfCompany, useMayRun } from './words.tsx';

/** A month of payroll of one company: checked, released and downloaded here. */
export function PayrollPage() {
  const { t } = useLingui();
  const { month = presentMonth(), employee } = useSearch({ from: '/shell/payroll' });
  const company = useOneCompany();
  const explain = useOpenPanel('employee');
  const mayRun = useMayRun();
  return (
    <Page
      title={t`Payroll ${monthName(month)}`}
      lead={
        mayRun ? (
          <Trans>Check the month, release it, and pass the files to the payroll system.</Trans>
        ) : (
          <Trans>The amounts of the month, and the files for the payroll system.</Trans>
        )
      }
      actions={<Months month={month} />}
    >
      {company === undefined ? (
        <ChooseCompany>
          <Trans>Payroll is done for one company at a time.</Trans>
        </ChooseCompany>
      ) : (
        <Month key={`${company} ${month}`} company={company} month={month} />
      )}
      {company !== undefined && employee !== undefined && (
        <WhyPanel id={employee} company={company} month={month} close={() => explain(undefined)} />
      )}
    </Page>
  );
}

function Months({ month }: { month: string }) {
  const link = (to: string, icon: object) => (
    <LinkButton
      to="."
      search={before => ({ ...before, month: to, employee: undefined })}
      variant="default"
      {...icon}
    >
      {monthName(to)}
    </LinkButton>
  );
  return (
    <Group gap="xs">
      {link(monthAway(month, -1), { leftSection: <Icon name="back" size={16} /> })}
      {link(monthAway(month, 1), { rightSection: <Icon name="forward" size={16} /> })}
    </Group>
  );
}

function Month({ company, month }: { company: string; month: string }) {
  const { t } = useLingui();
  const settings = useAnswer(payrollSettingsQuery(company));
  const isAdmin = usePermission('COMPANY_ADMIN');
  const runs = useAnswer(payrollRunsQuery(company));
  if (runs.data === undefined && isUnavailable(runs.error))
    return (
      <div role="alert">
        <Empty icon="lock" title={t`No access to the payroll of this company`}>
          <Trans>Your permission HR does not include this company. A company admin can change that.</Trans>
        </Empty>
      </div>
    );
  // The settings of a company out of reach are not found, either.
  if (runs.data !== undefined && settings.data === undefined && isUnavailable(settings.error))
    return (
      <Empty
        icon="alert"
        title={t`Payroll is not set up for this company`}
        action={
          isAdmin && (
            <LinkButton to="/companies/$id" params={{ id: company }} search={{ tab: 'payroll' }}>
              <Trans>Set up payroll</Trans>
            </LinkButton>
          )
        }
      >
        <Trans>A company admin sets the payroll settings first: wage types, and numbers of DATEV.</Trans>
      </Empty>
    );
  return (
    <Answered answer={runs} height={300}>
      {answer => <Runs company={company} month={month} {...answer} />}
    </Answered>
  );
}

const isOpen = ({ status }: Run) => ['computing', 'draft', 'releasing'].includes(status);

interface RunsProps extends RunsOfCompany {
  readonly company: string;
  readonly month: string;
}

function Runs({ company, month, items: runs, firstPeriod, lastPeriod }: RunsProps) {
  const isPossible = month >= (firstPeriod ?? month) && month <= lastPeriod;
  const open = runs.find(isOpen);
  const [last] = runs;
  // Without a report, it could not be computed. A draft that was discarded keeps the failure of its release, too.
  const isFailed = last?.period === month && last.status === 'discarded' && last.summary === null;
  const ofMonth = runs.filter(({ period, status }) => period === month && status !== 'discarded');
  return (
    <Stack gap="lg">
      {/* By position, the newest first: the view of a draft stays when another check replaces it. */}
      {ofMonth.map(({ id }, index) => (
        <PayrollRunView key={ofMonth.length - index} id={id} />
      ))}
      {open !== undefined && open.period !== month && <OpenElsewhere period={open.period} />}
      {open === undefined && ofMonth.length === 0 && !isPossible && (
        <Impossible {...{ month, firstPeriod, lastPeriod }} />
      )}
      {isFailed && last.failure && <FailureOf failure={last.failure} />}
      {open === undefined && isPossible && (
        <StartRun company={company} month={month} last={last} isFirst={ofMonth.length === 0} />
      )}
      <Proposals company={company} />
      <Receivables company={company} />
      <TwelveMonths company={company} month={month} />
      <EmployeeSearch company={company} />
    </Stack>
  );
}

/** A month that no run can be for: it is before the last released one, or too far ahead. */
function Impossible({
  month,
  firstPeriod,
  lastPeriod,
}: { month: string } & Pick<RunsOfCompany, 'firstPeriod' | 'lastPeriod'>) {
  const { t } = useLingui();
  const first = monthName(firstPeriod ?? month);
  return (
    <Empty icon="lock" title={t`${monthName(month)} cannot be checked`}>
      <Trans>
        {first} to {monthName(lastPeriod)} can be checked. A check contains the corrections of all earlier
        months.
      </Trans>
    </Empty>
  );
}

/** A company has one open run at a time. */
function OpenElsewhere({ period }: { period: string }) {
  const { t } = useLingui();
  const mayRun = useMayRun();
  return (
    <Empty icon="lock" title={t`${monthName(period)} is not released yet`}>
      {mayRun ? (
        <Trans>A company has one open run. Release or discard it first.</Trans>
      ) : (
        <Trans>A company has one open run.</Trans>
      )}{' '}
      <TextLink to="." search={before => ({ ...before, month: period })} underline="always">
        <Trans>Go to {monthName(period)}</Trans>
      </TextLink>
    </Empty>
  );
}
