import { Select, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { duration } from '../../kit/dates.ts';
import { DialogForm } from '../../kit/form/dialog.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { confirmDone } from '../../kit/toasts.tsx';
import { keyChanges, type KeyHealth } from './key-parts.tsx';

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
export function ExpectedIntervalChoice({ id, health, close }: Props) {
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
