import { Button, Group, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../api/ask.ts';
import { CopyWideButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';

/** Shows the link with which a user sets a password, this once. */
export function LinkDialog({
  invited,
  done,
}: {
  invited: AnswerOf<'POST /users/{id}/invitation'> | null;
  done: () => void;
}) {
  const { t } = useLingui();
  const name = invited?.name ?? '';
  return (
    <Dialog opened={invited !== null} title={t`The link for the user`} size="lg">
      {invited && (
        <Stack>
          <Text size="sm">
            <Trans>
              With this link {name} sets a password. It works once, for three days, and is shown here only.
              Give it to nobody else: whoever has it can sign in as this user.
            </Trans>
          </Text>
          <pre className="secret" data-testid="link">
            {invited.link}
          </pre>
          <Group justify="space-between">
            <CopyWideButton text={invited.link ?? ''}>
              <Trans>Copy the link</Trans>
            </CopyWideButton>
            <Button onClick={done}>
              <Trans>Done</Trans>
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
