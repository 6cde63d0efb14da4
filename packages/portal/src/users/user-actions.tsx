import { Button, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type AnswerOf, ask } from '../api/ask.ts';
import { Dialog, DialogEnd } from '../parts/dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { useUserAction } from './use-user-action.ts';
import type { User } from './user-parts.tsx';

type Question = 'link' | 'deactivate' | 'delete';

interface Props {
  readonly user: User;
  readonly isSelf: boolean;
}

/** Actions on a user, each with a confirmation. Users cannot lock themselves out. */
export function UserActions({ user, isSelf }: Props) {
  const { t } = useLingui();
  const [question, setQuestion] = useState<Question | null>(null);
  const close = () => setQuestion(null);
  const [invited, setInvited] = useState<AnswerOf<'POST /users/{id}/invitation'> | null>(null);
  const reactivation = useUserAction(() => ask('POST /users/{id}/reactivation', { id: user.id }));
  const titles = {
    link: t`Make a new link?`,
    deactivate: t`Deactivate the user?`,
    delete: t`Delete the user?`,
  };
  return (
    <>
      {user.status !== 'inactive' && (
        <Button variant="default" onClick={() => setQuestion('link')}>
          {user.status === 'invited' ? <Trans>Invite again</Trans> : <Trans>Reset the password</Trans>}
        </Button>
      )}
      {!isSelf && user.status !== 'inactive' && (
        <Button variant="default" onClick={() => setQuestion('deactivate')}>
          <Trans>Deactivate</Trans>
        </Button>
      )}
      {user.status === 'inactive' && (
        <Button variant="default" loading={reactivation.busy} onClick={() => void reactivation.run()}>
          <Trans>Reactivate</Trans>
        </Button>
      )}
      {!isSelf && (
        <Button variant="default" c="var(--mantine-color-error)" onClick={() => setQuestion('delete')}>
          <Trans>Delete</Trans>
        </Button>
      )}
      {reactivation.error !== null && <Failure error={reactivation.error} />}
      <Dialog opened={question !== null} close={close} title={question && titles[question]}>
        {question === 'link' && (
          <NewLink
            user={user}
            close={close}
            made={invited => {
              close();
              setInvited(invited);
            }}
          />
        )}
        {question === 'deactivate' && <Deactivation user={user} close={close} />}
        {question === 'delete' && <Deletion user={user} close={close} />}
      </Dialog>
      <LinkDialog invited={invited} done={() => setInvited(null)} />
    </>
  );
}

interface DialogProps {
  readonly user: User;
  readonly close: () => void;
}

function NewLink({
  user: { id },
  close,
  made,
}: DialogProps & { made: (invited: AnswerOf<'POST /users/{id}/invitation'>) => void }) {
  const action = useUserAction(() => ask('POST /users/{id}/invitation', { id }), made);
  return (
    <Question action={action} close={close} yes={<Trans>Make the link</Trans>}>
      <Trans>
        With the link the user sets a password, once and within three days. A link that was made before does
        not work any more; the present password does, until the new link is used.
      </Trans>
    </Question>
  );
}

function Deactivation({ user: { id }, close }: DialogProps) {
  const action = useUserAction(() => ask('POST /users/{id}/deactivation', { id }), close);
  return (
    <Question action={action} close={close} yes={<Trans>Deactivate</Trans>}>
      <Trans>
        The user is signed out everywhere and cannot sign in any more, until you reactivate them. Keys that
        they have made go on working.
      </Trans>
    </Question>
  );
}

function Deletion({ user: { id, name }, close }: DialogProps) {
  const navigate = useNavigate();
  const action = useUserAction(
    () => ask('DELETE /users/{id}', { id }),
    () => void navigate({ to: '/settings/users' }),
  );
  return (
    <Question action={action} close={close} yes={<Trans>Delete for ever</Trans>} color="#b42318">
      <Trans>
        All that is stored of {name} is removed, but not what the audit says of what they did. Nobody can undo
        that. Keys that they have made go on working.
      </Trans>
    </Question>
  );
}

function Question({
  action: { run, error, busy },
  close,
  yes,
  color,
  children,
}: {
  action: ReturnType<typeof useUserAction>;
  close: () => void;
  yes: React.ReactNode;
  color?: string;
  children: React.ReactNode;
}) {
  return (
    <Stack>
      <Text size="sm">{children}</Text>
      {error !== null && <Failure error={error} />}
      <DialogEnd close={close} careful>
        <Button loading={busy} onClick={() => void run()} {...(color !== undefined && { color })}>
          {yes}
        </Button>
      </DialogEnd>
    </Stack>
  );
}
