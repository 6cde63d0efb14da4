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
const pauses = [900, hour, 4 * hour, 12 * hour, 26 * hour, 3.5 * day, 8 * day, 32 * day];

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
  const known = new Set(expectedIntervalSeconds === null ? pauses : [...pauses, expectedIntervalSeconds]);
  return (
    <DialogForm action={action} close={close} submit={<Trans>Save</Trans>}>
      <Text size="sm">
        <Trans>
          A key has no recent activity when no request has succeeded for longer. Its contacts are then
          notified. Mind nights and week-ends.
        </Trans>
      </Text>
      <Select
        label={t`A success at least every`}
        value={chosen}
        allowDeselect={false}
        onChange={value => setChosen(value!)}
        data={[
          { value: '', label: t`Learn it from the use` },
          ...[...known]
            .sort((a, b) => a - b)
            .map(pause => ({ value: String(pause), label: duration(pause) })),
        ]}
        data-autofocus
      />
    </DialogForm>
  );
}
