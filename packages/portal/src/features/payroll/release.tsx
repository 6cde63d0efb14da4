import { Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ask, recode } from '../../api/ask.ts';
import { payrollEntriesQuery, useTenantNames } from '../../api/queries.ts';
import { monthName, number } from '../../kit/dates.ts';
import { Fact, Facts } from '../../kit/detail/facts.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { useKindWords } from '../../kit/hr-words.tsx';
import { money } from '../../kit/numbers.ts';
import { ConfirmButton, DialogButton, DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { type Run, useFormatWords, useOutcomeWords } from './words.tsx';
import styles from './payroll.module.css';

const changes = [['payroll']];

/** Another user has discarded or checked the month. The page shows what was changed. */
const rejected = recode({ INVALID_STATE_TRANSITION: 'CHANGED_MEANWHILE' });

interface ReleaseProps {
  readonly run: Run;
  /** Is called when the release was requested. It goes on in the background. */
  readonly requested: () => void;
}

/** Releases a draft after a confirmation that shows the sums. */
export function ReleaseButton({ run, requested }: ReleaseProps) {
  const name = monthName(run.period);
  return (
    <DialogButton variant="filled" label={<Trans>Release</Trans>} title={<Trans>Release {name}</Trans>}>
      {close => <ReleaseForm run={run} requested={requested} close={close} />}
    </DialogButton>
  );
}

/** Confirms a release that this page has requested, when it has ended. The page shows a failure. Returns what announces a request. */
export function useReleaseResult(run: Run): () => void {
  const outcome = useOutcomeWords();
  const [requests, setRequests] = useState(0);
  const answered = useRef(0);
  useEffect(() => {
    // The run that is shown may be a draft still, read before the release was requested.
    if (requests === answered.current || run.status !== 'released') return;
    answered.current = requests;
    confirmDone(outcome(run));
  });
  return () => setRequests(count => count + 1);
}

function ReleaseForm({ run, requested, close }: ReleaseProps & { close: () => void }) {
  const kinds = useKindWords();
  const nameOf = useTenantNames();
  const formats = useFormatWords();
  const { data: counts } = useQuery(payrollEntriesQuery(run.id, { limit: 1 }));
  const { sums, skipped } = run.summary!;
  const action = useAction(
    changes,
    () => ask('POST /payroll-runs/{id}/release', { id: run.id }).catch(rejected),
    () => {
      close();
      requested();
    },
  );
  return (
    <DialogForm action={action} close={close} submit={<Trans>Release</Trans>} isCareful>
      <Text size="sm">
        <Trans>These sums go to the payroll system. A release cannot be taken back.</Trans>
      </Text>
      <Facts>
        <Fact name={<Trans>Company</Trans>}>{nameOf(run.tenant)}</Fact>
        <Fact name={<Trans>People</Trans>}>{counts ? number(counts.persons) : '…'}</Fact>
        <Fact name={<Trans>Files for</Trans>}>{run.formats.map(format => formats[format]).join(', ')}</Fact>
      </Facts>
      <ul className={styles.findings}>
        {sums.map(({ kind, amount }) => (
          <li key={kind}>
            <span>{kinds[kind]}</span>
            <strong className={styles.amount}>{money(amount, 'EUR')}</strong>
          </li>
        ))}
      </ul>
      {sums.length === 0 && (
        <Text size="sm">
          <Trans>Nothing is to be exported.</Trans>
        </Text>
      )}
      {skipped > 0 && (
        <Text size="sm">
          <Trans>Some amounts are left out. They stay owed for the next run.</Trans>
        </Text>
      )}
    </DialogForm>
  );
}

export function DiscardButton({ run }: { run: Run }) {
  const { t } = useLingui();
  return (
    <ConfirmButton
      label={<Trans>Discard the check</Trans>}
      title={<Trans>Discard this check?</Trans>}
      changes={changes}
      action={() => ask('POST /payroll-runs/{id}/discard', { id: run.id })}
      done={() => confirmDone(t`The check is discarded.`)}
    >
      <Trans>Nothing was exported. You can check the month again at any time.</Trans>
    </ConfirmButton>
  );
}
