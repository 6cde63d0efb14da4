import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type SubmitEvent, useState } from 'react';
import { ask, recode, Rejection } from '../../api/ask.ts';
import { payrollRunsQuery, queryClient } from '../../api/queries.ts';
import { monthName } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { useAction } from '../../kit/form/use-action.ts';
import { Empty } from '../../kit/navigation/page.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import {
  type Format,
  type Run,
  type RunDetails,
  useFormatWords,
  useMayRun,
  useOutcomeWords,
} from './words.tsx';

interface Props {
  readonly company: string;
  readonly month: string;
  /** The last run of the company, whose formats are proposed. */
  readonly last: Run | undefined;
  readonly isFirst: boolean;
}

/** Starts the check of a month, or says that the user may not. */
export function StartRun(props: Props) {
  const { t } = useLingui();
  const mayRun = useMayRun();
  const mayChange = useMayChange();
  const { month, isFirst } = props;
  if (mayRun) return <StartForm {...props} />;
  // A month that was checked is shown itself.
  if (!isFirst) return null;
  return (
    <Empty icon="lock" title={t`${monthName(month)} was not checked yet`}>
      {mayChange && (
        <Trans>
          You do not have the permission to check payroll. Ask someone who has it, or a company admin.
        </Trans>
      )}
    </Empty>
  );
}

const rejected = recode({
  VALIDATION_ERROR: 'MONTH_NOT_POSSIBLE',
  DUPLICATE_RESOURCE: 'OPEN_RUN',
  INVALID_STATE_TRANSITION: 'RELEASE_IN_PROGRESS',
});

/** Nothing is exported by a check. */
function StartForm({ company, month, last, isFirst }: Props) {
  const { t } = useLingui();
  const words = useFormatWords();
  const [formats, setFormats] = useState<Format[]>(last?.formats ?? ['csv']);
  const [isMissing, setMissing] = useState(false);
  const action = useAction([['payroll']], () =>
    ask('POST /tenants/{id}/payroll-runs', { id: company, body: { period: month, formats } }).catch(rejected),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (formats.length === 0) setMissing(true);
    else void action.run();
  };
  return (
    <Section title={isFirst ? t`Check ${monthName(month)}` : t`Check ${monthName(month)} again`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">
            {isFirst ? (
              <Trans>
                Kontor computes the amounts of the month, and compares them with the month before. Nothing is
                exported before you release it.
              </Trans>
            ) : (
              <Trans>A further run exports only what has changed since: corrections and late amounts.</Trans>
            )}
          </Text>
          <Checkbox.Group
            label={t`Files for`}
            value={formats}
            error={isMissing && formats.length === 0 && t`Choose a format.`}
            onChange={setFormats}
          >
            <Stack gap="xs" mt="xs">
              {(Object.keys(words) as Format[]).map(format => (
                <Checkbox key={format} value={format} label={words[format]} />
              ))}
            </Stack>
          </Checkbox.Group>
          {action.error !== null && <Failure error={action.error} />}
          <Button
            type="submit"
            variant={isFirst ? 'filled' : 'default'}
            loading={action.busy}
            style={{ alignSelf: 'flex-start' }}
          >
            <Trans>Check now</Trans>
          </Button>
        </Stack>
      </form>
    </Section>
  );
}

/** For `catch`: another user has changed or discarded the check. @throws other errors */
const late = (error: unknown): 'late' =>
  error instanceof Rejection && error.status === 409 ? 'late' : rejected(error);

/** Replaces a draft by another check of its month, with the same choices. It keeps the focus while that computes. */
export function CheckAgain({ run, obstacle }: Pick<RunDetails, 'run' | 'obstacle'>) {
  const { t } = useLingui();
  const outcome = useOutcomeWords();
  const { id: replaces, tenant: id, period, formats, divisionId, status, reverses } = run;
  const action = useAction(
    [['payroll']],
    () =>
      (reverses === null
        ? ask('POST /tenants/{id}/payroll-runs', { id, body: { period, formats, divisionId, replaces } })
        : ask('POST /tenants/{id}/payroll-reversals', {
            id,
            body: { period, formats, ...reverses, replaces },
          })
      )
        .then(() => 'done' as const)
        .catch(late),
    result => {
      if (result === 'done') return;
      const runs = queryClient.getQueryData(payrollRunsQuery(id).queryKey)?.items;
      const present = runs?.find(other => other.period === period && other.status !== 'discarded');
      confirmDone(present ? outcome(present) : t`Another user has discarded this check.`);
    },
  );
  const isComputing = status !== 'draft';
  return (
    <>
      <Button
        variant={obstacle === null ? 'default' : 'filled'}
        loading={action.busy}
        aria-disabled={isComputing}
        data-disabled={isComputing}
        onClick={() => isComputing || void action.run()}
      >
        <Trans>Check again</Trans>
      </Button>
      {action.error !== null && <Failure error={action.error} />}
    </>
  );
}
