import { Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { monthName } from '../../kit/dates.ts';
import { Actor } from '../../kit/detail/timeline.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { DialogButton, DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { When } from '../../kit/when.tsx';
import { type Finding, useFindingWords, useMayRun } from './words.tsx';
import styles from './payroll.module.css';
import { TextField } from '../../kit/form/limited-fields.tsx';

interface Props {
  readonly run: string;
  /** Those of one person for one cause, which are answered together. */
  readonly findings: readonly Finding[];
}

/** Records that a question was considered, so that it is not asked again. */
export function AnswerButton({ run, findings }: Props) {
  const mayRun = useMayRun();
  return (
    <DialogButton
      size="compact-xs"
      variant="subtle"
      isShown={mayRun}
      label={<Trans>Answer the question</Trans>}
      title={<Trans>Answer the question</Trans>}
    >
      {close => <AnswerForm run={run} findings={findings} close={close} />}
    </DialogButton>
  );
}

function AnswerForm({ run: id, findings, close }: Props & { close: () => void }) {
  const { t } = useLingui();
  const words = useFindingWords();
  const [reason, setReason] = useState('');
  const action = useAction(
    [['payroll']],
    async () => {
      for (const { number } of findings)
        await ask('POST /payroll-runs/{id}/acknowledgements', {
          id,
          body: { finding: number, reason: reason.trim() },
        });
    },
    () => {
      close();
      confirmDone(t`The question is answered.`);
    },
  );
  return (
    <DialogForm
      action={action}
      close={close}
      submit={<Trans>Answer the question</Trans>}
      isDisabled={reason.trim() === ''}
    >
      <Text size="sm">{words[findings[0]!.code]}</Text>
      <Text size="sm">
        <Trans>Amounts stay as they are. You are asked again only if what it is about changes.</Trans>
      </Text>
      <TextField
        label={t`Reason`}
        required
        description={t`It is shown with the question in later months.`}
        value={reason}
        limit={500}
        data-autofocus
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </DialogForm>
  );
}

/** Questions that were answered, with their reasons. */
export function Answered({ findings }: { findings: readonly Finding[] }) {
  const { t } = useLingui();
  const words = useFindingWords();
  const answered = findings.filter(({ acknowledgement }) => acknowledgement !== null);
  if (answered.length === 0) return null;
  return (
    <details className={styles.group}>
      <summary>
        <Plural value={answered.length} one="# answered question" other="# answered questions" />
      </summary>
      <ul className={styles.findings}>
        {answered.map(({ number, code, month, employeeId, employeeName, acknowledgement }) => (
          <li key={number}>
            <span>
              {employeeId === null ? month && monthName(month) : (employeeName ?? t`A person without a name`)}
              {': '}
              {words[code]}
            </span>
            <Text size="sm" c="dimmed">
              {acknowledgement!.reason} (<Actor {...acknowledgement!.acknowledgedBy} />,{' '}
              <When at={acknowledgement!.acknowledgedAt} />)
            </Text>
          </li>
        ))}
      </ul>
    </details>
  );
}
