import { Alert, Group, Stack, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { payrollFindingsQuery, payrollRunQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { monthName, number } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Actor } from '../../kit/detail/timeline.tsx';
import { Failure } from '../../kit/failure.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { RunState, useKindWords } from '../../kit/hr-words.tsx';
import { Icon } from '../../kit/icon.tsx';
import { JobProgress } from '../../kit/job-progress.tsx';
import { money } from '../../kit/numbers.ts';
import { When } from '../../kit/when.tsx';
import { Again } from './again.tsx';
import { Files } from './files.tsx';
import { Differences, WorkOff } from './findings.tsx';
import { DiscardButton, ReleaseButton, useReleaseResult } from './release.tsx';
import { CheckAgain } from './start-run.tsx';
import { Sums } from './sums.tsx';
import { type Finding, type Run, type RunDetails, useMayRun } from './words.tsx';

/** A run with all that can be done about it now. */
export function PayrollRunView({ id }: { id: string }) {
  const answer = useAnswer({ ...payrollRunQuery(id), placeholderData: keepPreviousData });
  return (
    <Answered answer={answer} height={300}>
      {details => <RunSections details={details} />}
    </Answered>
  );
}

interface Report {
  readonly id: string;
  readonly summary: NonNullable<Run['summary']>;
  readonly findings: readonly Finding[];
}

/** The last report, which stays while another check of the month computes, and the one before it. */
function useReports({ id, status, summary }: Run) {
  const hasReport = summary !== null && status !== 'discarded';
  const { data: findings, error, refetch } = useAnswer({ ...payrollFindingsQuery(id), enabled: hasReport });
  const [reports, setReports] = useState<readonly Report[]>([]);
  const [report, before] = reports;
  // An answer to a question changes the report of the same check.
  const isNew = report?.id !== id || report.findings !== findings || report.summary !== summary;
  if (hasReport && findings !== undefined && isNew)
    setReports([{ id, summary, findings }, ...(report?.id === id ? reports.slice(1) : reports)]);
  return { report, before, error, refetch };
}

function useTitle() {
  const { t } = useLingui();
  return ({ kind, period, status }: Run) => {
    const month = monthName(period);
    if (kind === 'reversal') return t`Reversal in ${month}`;
    return status === 'released' ? t`Release of ${month}` : t`Check of ${month}`;
  };
}

function RunSections({ details }: { details: RunDetails }) {
  const { run, files } = details;
  const { status } = run;
  const titleOf = useTitle();
  const mayRun = useMayRun();
  const requested = useReleaseResult(run);
  const { report, before, error, refetch } = useReports(run);
  const summary = report?.summary ?? run.summary;
  const isReleased = status === 'released';
  const again = mayRun && !isReleased && status !== 'releasing' && <CheckAgain {...details} />;
  return (
    <>
      <Section title={titleOf(run)} aside={<RunState status={status} />}>
        <Stack gap="md">
          <Actors run={run} />
          {run.failure && <FailureOf failure={run.failure}>{again}</FailureOf>}
          {summary && <Sums run={run} summary={summary} />}
          {run.progress && <Working progress={run.progress} />}
        </Stack>
      </Section>
      {isReleased && <Files run={run} files={files} />}
      {isReleased && <Again run={run} />}
      {error !== null && <Failure error={error} retry={() => void refetch()} />}
      {!isReleased && report && (
        <WorkOff {...report} before={before?.summary}>
          {again}
        </WorkOff>
      )}
      {report && <Differences findings={report.findings} />}
      {status === 'draft' && <Draft details={details} requested={requested} />}
    </>
  );
}

function Actors({ run: { createdBy, createdAt, releasedBy, releasedAt } }: { run: Run }) {
  return (
    <Text size="sm" c="dimmed">
      <Trans>
        Checked by <Actor {...createdBy} /> <When at={createdAt} />
      </Trans>
      {releasedBy && releasedAt && (
        <>
          {' · '}
          <Trans>
            Released by <Actor {...releasedBy} /> <When at={releasedAt} />
          </Trans>
        </>
      )}
    </Text>
  );
}

function Working({ progress }: { progress: NonNullable<Run['progress']> }) {
  const done = number(progress.done);
  const { total } = progress;
  return (
    <JobProgress progress={progress}>
      <Plural value={total} one={`${done} of # order`} other={`${done} of # orders`} />
    </JobProgress>
  );
}

interface DraftProps {
  readonly details: RunDetails;
  readonly requested: () => void;
}

/** The actions on a draft, below what is to do before them, or why it cannot be released. */
function Draft({ details: { run, obstacle }, requested }: DraftProps) {
  const mayRun = useMayRun();
  const mayChange = useMayChange();
  const name = monthName(run.period);
  if (!mayChange) return null;
  return (
    <Section title={<Trans>Release {name}</Trans>}>
      <Stack gap="md">
        {obstacle === null && (
          <Text size="sm">
            <Trans>A release makes the files for the payroll system.</Trans>
          </Text>
        )}
        {obstacle === 'errors' && (
          <Obstacle>
            <Trans>
              The report contains errors. Fix them, and check the month again. Then it can be released.
            </Trans>
          </Obstacle>
        )}
        {obstacle === 'permission' && (
          <Obstacle>
            <Trans>
              You do not have the permission to release payroll. Ask someone who has it, or a company admin.
            </Trans>
          </Obstacle>
        )}
        {obstacle === 'second_actor' && (
          <Obstacle>
            <Trans>You have checked this month, so another person must release it.</Trans>
          </Obstacle>
        )}
        <Group>
          {obstacle === null && <ReleaseButton run={run} requested={requested} />}
          {mayRun && <DiscardButton run={run} />}
        </Group>
      </Stack>
    </Section>
  );
}

function Obstacle({ children }: { children: React.ReactNode }) {
  return (
    <Alert variant="outline" color="orange" icon={<Icon name="lock" />}>
      {children}
    </Alert>
  );
}

interface FailureOfProps {
  readonly failure: NonNullable<Run['failure']>;
  readonly children?: ReactNode;
}

/** Why the last release or check failed. Nothing of it is kept. */
export function FailureOf({ failure, children }: FailureOfProps) {
  const { t } = useLingui();
  const kinds = useKindWords();
  const { reason, differences } = failure;
  const amount = (value: string | null) => (value === null ? t`none` : money(value, 'EUR'));
  return (
    <Alert role="alert" variant="outline" color="red" icon={<Icon name="alert" />}>
      <Text size="sm">
        {reason === 'stale' && (
          <Trans>
            Amounts have changed since this check, so nothing was released. Check the month again.
          </Trans>
        )}
        {reason === 'files' && (
          <Trans>A file could not be stored, so nothing was released. Release the month again.</Trans>
        )}
        {reason === 'internal' && (
          <Trans>
            The service could not do this, and nothing was released. Try again, or tell the operator.
          </Trans>
        )}
        {reason === 'permission' && (
          <Trans>
            The user who started this no longer has the permission, so nothing was released. Another user can
            start it again.
          </Trans>
        )}
      </Text>
      {differences.length > 0 && (
        <ul>
          {differences.map(({ orderId, month, kind, draft, now }) => (
            <li key={`${orderId} ${month} ${kind}`}>
              {kinds[kind]}, {monthName(month)}: {amount(draft)} → {amount(now)}
            </li>
          ))}
        </ul>
      )}
      {reason === 'stale' && children}
    </Alert>
  );
}
