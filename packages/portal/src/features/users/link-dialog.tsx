import { Button, Group, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';
import { CopyText } from '../../kit/copy-button.tsx';
import { useStay } from '../../kit/form/use-action.ts';
import { Dialog } from '../../kit/overlay/dialog.tsx';

type Invited = AnswerOf<'POST /users/{id}/invitation'>;

/** Shows the link with which a user sets a password, once, or reports that it was mailed to them. */
export function LinkDialog({ invited, done }: { invited: Invited | null; done: () => void }) {
  const { t } = useLingui();
  useStay(typeof invited?.link === 'string');
  const isMailed = invited?.link === null;
  const title = isMailed ? t`Invitation sent` : t`Link for the user`;
  return (
    <Dialog opened={invited !== null} title={title} size="lg">
      {invited &&
        (invited.link === null ? <Mailed {...invited} /> : <LinkShown {...invited} link={invited.link} />)}
      <Group justify="flex-end" mt="md">
        <Button onClick={done}>
          <Trans>Done</Trans>
        </Button>
      </Group>
    </Dialog>
  );
}

function Mailed({ email }: Pick<Invited, 'email'>) {
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <Trans>
        {email} was sent a link to set a password. The link can be used once and expires in three days.
      </Trans>
    </Text>
  );
}

function LinkShown({ name, link }: Pick<Invited, 'name'> & { link: string }) {
  return (
    <Stack align="flex-start">
      <Text size="sm">
        <Trans>
          {name} can set a password with this link. It can be used once, expires in three days and is shown
          only here. Give it to nobody else: anyone with the link can sign in as this user.
        </Trans>
      </Text>
      <CopyText text={link} testId="link">
        <Trans>Copy link</Trans>
      </CopyText>
    </Stack>
  );
}
