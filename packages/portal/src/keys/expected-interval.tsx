import { Button, Select, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ask } from '../api/ask.ts';
import { duration } from '../parts/dates.ts';
import { DialogEnd } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import type { KeyHealth } from './key-parts.tsx';
import { useKeyAction } from './use-key-action.ts';

const hour = 3600;
const day = 24 * hour;
const pauses = [900, hour, 4 * hour, 12 * hour, 26 * hour, 3.5 * day, 8 * day, 32 * day];

/** Says how long the system that uses a key may pause before it counts as silent. */
export function ExpectedIntervalChoice({
  id,
  health,
  close,
}: {
  id: string;
  health: KeyHealth;
  close: () => void;
}) {
  const { t } = useLingui();
  const { expectedIntervalSeconds } = health;
  const [chosen, setChosen] = useState(String(expectedIntervalSeconds ?? ''));
  const save = () =>
    ask('PATCH /api-keys/{id}', {
      id,
      body: { expectedIntervalSeconds: chosen === '' ? null : Number(chosen) },
    });
  const { run, error, busy } = useKeyAction(save, close);
  const known = new Set(expectedIntervalSeconds === null ? pauses : [...pauses, expectedIntervalSeconds]);
  return (
    <Stack>
      <Text size="sm">
        <Trans>
          A key is silent when no request with it has succeeded for so long. Those who look after the keys are
          told then. Mind nights and week-ends.
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
      {error !== null && <Failure error={error} />}
      <DialogEnd close={close}>
        <Button loading={busy} onClick={() => void run()}>
          <Trans>Save</Trans>
        </Button>
      </DialogEnd>
    </Stack>
  );
}
