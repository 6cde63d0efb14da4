import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { plural } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../api/ask.ts';
import { publicApi } from '../../api/requests.ts';
import { CopyText } from '../../kit/copy-button.tsx';
import { Dialog } from '../../kit/overlay/dialog.tsx';
import { useStay } from '../../kit/form/use-action.ts';
import { commandOf } from './request.ts';
import { organizationSettingsQuery } from '../../api/queries.ts';

/** A key with its text, as it is answered once. */
export type Made = AnswerOf<'POST /api-keys'>;

/** Shows a new key, this once: it can be closed only by saying that it was kept. */
export function MadeKey({ made, done }: { made: Made; done: () => void }) {
  const { t } = useLingui();
  const [kept, setKept] = useState(false);
  useStay(!kept);
  const key = made.key ?? '';
  const list = publicApi.requests.find(({ operation }) => operation === 'listEmployees')!;
  return (
    <Dialog opened title={t`API key created`} size="lg">
      <Stack>
        <Text>
          <Trans>Copy the key now into your system or a password manager. It is shown only once.</Trans>
        </Text>
        <CopyText text={key} label={t`The key`} testId="key">
          <Trans>Copy key</Trans>
        </CopyText>
        <Text fw={600} size="sm">
          <Trans>Try it in a terminal</Trans>
        </Text>
        <CopyText text={commandOf(list, {}, key)} label={t`The command`}>
          <Trans>Copy command</Trans>
        </CopyText>
        <Checkbox
          label={t`I have stored the key in a safe place`}
          checked={kept}
          onChange={({ currentTarget }) => setKept(currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!kept} onClick={done}>
            <Trans>Done</Trans>
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Days after which a key expires. */
const presets = [30, 90, 365];

/** The lifetimes of a new key in days that the organization allows; `0`: it does not expire. */
export function useLifetimes() {
  const { t } = useLingui();
  const { data } = useQuery(organizationSettingsQuery);
  const max = data?.maxKeyDays ?? null;
  const suggested = data?.defaultKeyDays ?? 365;
  const days = [...new Set([...presets, suggested, ...(max === null ? [] : [max])])]
    .filter(count => max === null || count <= max)
    .sort((a, b) => a - b);
  const choices = days.map(count => ({
    value: String(count),
    label: count === 365 ? t`In a year` : t`${plural(count, { one: 'In # day', other: 'In # days' })}`,
  }));
  return {
    choices: max === null ? [...choices, { value: '0', label: t`Never` }] : choices,
    suggested: String(suggested),
    max,
  };
}
