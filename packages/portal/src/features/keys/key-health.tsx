import { Select, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { ask } from '../../api/ask.ts';
import { healthQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { duration, moment } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts } from '../../kit/detail/facts.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { useAction } from '../../kit/form/use-action.ts';
import { DialogButton, DialogForm } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { When } from '../../kit/when.tsx';
import { useErrorWords } from './key-errors.tsx';
import { type Key, keyChanges, type KeyHealth } from './key-parts.tsx';
import { useOperationWords } from './operation-words.tsx';
import shared from '../../kit/shared.module.css';

/** Whether the system that uses the key lives: when it was heard of and should be, how far it has read, and what went wrong last. */
export function Health({ shown }: { shown: Key }) {
  const { t } = useLingui();
  const isUsed = shown.health !== 'never_used';
  return (
    <Section title={t`Integration health`}>
      <Answered answer={useAnswer(healthQuery(shown.id))} height={120}>
        {health => (
          <Facts>
            {isUsed && (
              <Fact name={t`Last success`}>
                <LastSuccess {...health} />
              </Fact>
            )}
            <Fact name={t`Expected interval`}>
              <ExpectedInterval shown={shown} health={health} />
            </Fact>
            {isUsed && (
              <>
                <Fact name={t`Changes read up to`}>
                  <Polls {...health} />
                </Fact>
                <Fact name={t`Last error`}>
                  <LastError {...health} />
                </Fact>
              </>
            )}
          </Facts>
        )}
      </Answered>
    </Section>
  );
}

function LastSuccess({ lastSuccessAt, lastUsedAt }: KeyHealth) {
  if (lastSuccessAt)
    return (
      <>
        <When at={lastSuccessAt} /> ({moment(lastSuccessAt)})
      </>
    );
  return lastUsedAt ? (
    <Trans>None known: the requests failed, or were long ago</Trans>
  ) : (
    <Trans>Never used</Trans>
  );
}

function ExpectedInterval({ shown, health }: { shown: Key; health: KeyHealth }) {
  const { t } = useLingui();
  return (
    <>
      <div>
        <IntervalText {...health} />
      </div>
      {health.overdueFrom && health.noRecentActivitySince === null && (
        <Text size="sm" c="dimmed" component="div">
          <Trans>Without a success until {moment(health.overdueFrom)} it has no recent activity.</Trans>
        </Text>
      )}
      <DialogButton
        label={<Trans>Change interval</Trans>}
        title={t`Expected interval`}
        isShown={shown.status !== 'deleted'}
        size="xs"
        mt={6}
      >
        {close => <ExpectedIntervalChoice id={shown.id} health={health} close={close} />}
      </DialogButton>
    </>
  );
}

function IntervalText({ expectedIntervalSeconds, computedIntervalSeconds }: KeyHealth) {
  const mayChange = useMayChange();
  if (expectedIntervalSeconds !== null) {
    const pause = duration(expectedIntervalSeconds);
    return <Trans>Set: at least one success every {pause}</Trans>;
  }
  if (computedIntervalSeconds === null)
    return mayChange ? (
      <Trans>Not known yet. It is determined from two weeks of use, or you set it.</Trans>
    ) : (
      <Trans>Not known yet. It is determined from two weeks of use.</Trans>
    );
  const pause = duration(computedIntervalSeconds);
  return <Trans>From four weeks of use: at least one success every {pause}</Trans>;
}

function Polls({ polls }: KeyHealth) {
  const wordsFor = useOperationWords();
  if (polls.length === 0)
    return (
      <span className={shared.aside}>
        <Trans>No polling for changes detected</Trans>
      </span>
    );
  return polls.map(({ operation, readTo, lagSeconds }) => (
    <div key={operation}>
      {wordsFor(operation)}: {moment(readTo)} <Lag seconds={lagSeconds} />
    </div>
  ));
}

function Lag({ seconds }: { seconds: number }) {
  const time = duration(seconds);
  return (
    <span className={shared.aside}>
      {seconds === 0 ? <Trans>(everything)</Trans> : <Trans>({time} behind the last change)</Trans>}
    </span>
  );
}

function LastError({ errors: [last] }: KeyHealth) {
  const wordsFor = useErrorWords();
  const operationWords = useOperationWords();
  if (!last) return <Trans>None in 30 days</Trans>;
  return (
    <>
      <When at={last.lastAt} />, {operationWords(last.operation)}: {wordsFor(last.status)}
    </>
  );
}

const hour = 3600;
const day = 24 * hour;

/** The longest time without success, in seconds, of a system that comes so often; with some time for a delay. */
const presets = {
  hourly: 2 * hour,
  daily: 26 * hour,
  /** From Friday to Monday. */
  workingDays: 74 * hour,
  weekly: 8 * day,
  monthly: 32 * day,
} as const;

interface Props {
  readonly id: string;
  readonly health: KeyHealth;
  readonly close: () => void;
}

/** Says how long the system that uses a key may pause before it has no recent activity. */
function ExpectedIntervalChoice({ id, health, close }: Props) {
  const { t } = useLingui();
  const { expectedIntervalSeconds } = health;
  const [chosen, setChosen] = useState(String(expectedIntervalSeconds ?? ''));
  const body = { expectedIntervalSeconds: chosen === '' ? null : Number(chosen) };
  const action = useAction(
    keyChanges,
    () => ask('PATCH /api-keys/{id}', { id, body }),
    () => {
      close();
      confirmDone(t`Changes saved`);
    },
  );
  const names = {
    hourly: t`Every hour`,
    daily: t`Daily`,
    workingDays: t`On working days`,
    weekly: t`Weekly`,
    monthly: t`Monthly`,
  };
  const options = Object.entries(presets).map(([preset, seconds]) => ({
    value: String(seconds),
    label: names[preset as keyof typeof presets],
  }));
  const other = String(expectedIntervalSeconds ?? '');
  const isPreset = other === '' || options.some(({ value }) => value === other);
  const longest = duration(Number(chosen));
  return (
    <DialogForm action={action} close={close} submit={<Trans>Save</Trans>}>
      <Text size="sm">
        <Trans>
          A key has no recent activity when no request has succeeded for longer than expected. Its contacts
          are then notified.
        </Trans>
      </Text>
      <Select
        label={t`The system uses the key`}
        description={
          chosen === ''
            ? t`Determined from the last four weeks`
            : t`No recent activity after ${longest} without success`
        }
        value={chosen}
        allowDeselect={false}
        onChange={value => setChosen(value!)}
        data={[
          { value: '', label: t`As often as before` },
          ...options,
          ...(isPreset ? [] : [{ value: other, label: duration(Number(other)) }]),
        ]}
        data-autofocus
      />
    </DialogForm>
  );
}
