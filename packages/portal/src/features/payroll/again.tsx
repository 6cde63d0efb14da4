import { Button, Group, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useAnswer } from '../../api/answer.ts';
import { ask, download, recode, Rejection } from '../../api/ask.ts';
import { payrollRunsQuery } from '../../api/queries.ts';
import { monthName } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { rules } from '../../kit/help/guides.ts';
import { HelpMark } from '../../kit/help/help.tsx';
import { DialogButton, DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { type Format, type Run, useFormatWords, useMayRun } from './words.tsx';

/** The entries of a released run once more: copies of its files, and the reversal of wrong values. */
export function Again({ run }: { run: Run }) {
  const { t } = useLingui();
  const formats = useFormatWords();
  const mayRun = useMayRun();
  if (run.summary?.entries === 0) return null;
  return (
    <Section
      title={<Trans>Copies and reversal</Trans>}
      help={<HelpMark about={t`Copies and reversal`} guide={rules.reversal} />}
    >
      <Stack gap="md">
        <Text size="sm">
          <Trans>
            A copy has the same amounts in any format. What is imported twice is deducted twice: import a copy
            only if the first file was not imported.
          </Trans>
        </Text>
        <Group>
          {(Object.keys(formats) as Format[]).map(format => (
            <CopyButton key={format} run={run} format={format} />
          ))}
        </Group>
        {mayRun && <ReverseButton run={run} />}
      </Stack>
    </Section>
  );
}

const notCopied = recode({ VALIDATION_ERROR: 'FORMAT_NOT_POSSIBLE' });

/** All files of the format: earlier months may have one each. */
async function copyAll(id: string, format: Format): Promise<void> {
  for (let number = 1; ; number++)
    try {
      await download('GET /payroll-runs/{id}/copy', { id, query: { format, number } });
    } catch (error) {
      if (number > 1 && error instanceof Rejection && error.status === 404) return;
      throw error;
    }
}

function CopyButton({ run: { id }, format }: { run: Run; format: Format }) {
  const { t } = useLingui();
  const formats = useFormatWords();
  const action = useAction(
    [['payroll', 'run']],
    () => copyAll(id, format).catch(notCopied),
    () => confirmDone(t`The copy is saved.`),
  );
  return (
    <div>
      <Button variant="default" loading={action.busy} onClick={() => void action.run()}>
        <Trans>Copy: {formats[format]}</Trans>
      </Button>
      {action.error !== null && <Failure error={action.error} />}
    </div>
  );
}

const rejected = recode({
  VALIDATION_ERROR: 'MONTH_NOT_POSSIBLE',
  DUPLICATE_RESOURCE: 'OPEN_RUN',
  INVALID_STATE_TRANSITION: 'RELEASE_IN_PROGRESS',
});

/** Computes a draft of a reversal, which is released like another one. */
function ReverseButton({ run }: { run: Run }) {
  return (
    <DialogButton
      label={<Trans>Reverse the amounts</Trans>}
      title={<Trans>Reverse released amounts</Trans>}
      style={{ alignSelf: 'flex-start' }}
    >
      {close => <ReverseForm run={run} close={close} />}
    </DialogButton>
  );
}

function ReverseForm({
  run: { id: runId, tenant, period, formats },
  close,
}: {
  run: Run;
  close: () => void;
}) {
  const { t } = useLingui();
  // No files are made for a month before the last released one.
  const last = useAnswer(payrollRunsQuery(tenant)).data?.firstPeriod ?? period;
  const month = last > period ? last : period;
  const action = useAction(
    [['payroll']],
    () =>
      ask('POST /tenants/{id}/payroll-reversals', {
        id: tenant,
        body: { period: month, formats, runId },
      }).catch(rejected),
    () => {
      close();
      confirmDone(t`The reversal is being computed.`);
    },
  );
  return (
    <DialogForm action={action} close={close} submit={<Trans>Compute the reversal</Trans>}>
      <Text size="sm">
        <Trans>
          Use it after you have corrected a wrong employee number, adviser or client number, wage type or cost
          centre. Kontor takes the amounts back under the old values, and books them under the current ones.
          The sum is zero.
        </Trans>
      </Text>
      <Text size="sm">
        <Trans>
          The files are for {monthName(month)}. Nothing is exported before you release the reversal.
        </Trans>
      </Text>
    </DialogForm>
  );
}
