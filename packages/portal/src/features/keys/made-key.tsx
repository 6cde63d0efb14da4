import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { AnswerOf } from '../../api/ask.ts';
import { publicApi } from '../../api/requests.ts';
import { CopyText } from '../../kit/copy-button.tsx';
import { useStay } from '../../kit/form/use-action.ts';
import { Dialog } from '../../kit/overlay/dialog.tsx';
import { mayRequest } from './key-purpose.tsx';
import { commandOf } from './request.ts';

/** A key with its text, as it is answered once. */
export type Made = AnswerOf<'POST /api-keys'>;

/** Shows a new key, this once: it can be closed only by saying that it was kept. */
export function MadeKey({ made, done }: { made: Made; done: () => void }) {
  const { t } = useLingui();
  const [kept, setKept] = useState(false);
  useStay(!kept);
  const key = made.key ?? '';
  const request = publicApi.requests.find(one => mayRequest(made.permissions, one))!;
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
        <CopyText text={commandOf(request, {}, key)} label={t`The command`}>
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
