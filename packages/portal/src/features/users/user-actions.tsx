import { Button } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type AnswerOf, ask } from '../../api/ask.ts';
import { Failure } from '../../kit/failure.tsx';
import { ConfirmButton } from '../../kit/form/dialog.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { confirmDone } from '../../kit/toasts.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { type User, userChanges } from './user-parts.tsx';

interface Props {
  readonly user: User;
  readonly isSelf: boolean;
}

/** Actions on a user. Users cannot lock themselves out. */
export function UserActions({ user: { id, name, status }, isSelf }: Props) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [invited, setInvited] = useState<AnswerOf<'POST /users/{id}/invitation'> | null>(null);
  const reactivation = useAction(
    userChanges,
    () => ask('POST /users/{id}/reactivation', { id }),
    () => confirmDone(t`User reactivated`),
  );
  const isInactive = status === 'inactive';
  return (
    <>
      <ConfirmButton
        label={status === 'invited' ? <Trans>Invite again</Trans> : <Trans>Reset the password</Trans>}
        title={t`Make a new link?`}
        isShown={!isInactive}
        submit={<Trans>Make the link</Trans>}
        changes={userChanges}
        action={() => ask('POST /users/{id}/invitation', { id })}
        done={setInvited}
      >
        <Trans>
          With the link the user sets a password, once and within three days. A link that was made before does
          not work any more; the present password does, until the new link is used.
        </Trans>
      </ConfirmButton>
      <ConfirmButton
        label={<Trans>Deactivate</Trans>}
        title={t`Deactivate the user?`}
        isShown={!isSelf && !isInactive}
        changes={userChanges}
        action={() => ask('POST /users/{id}/deactivation', { id })}
        done={() => confirmDone(t`User deactivated`)}
      >
        <Trans>
          The user is signed out everywhere and cannot sign in any more, until you reactivate them. Keys that
          they have made go on working.
        </Trans>
      </ConfirmButton>
      {isInactive && (
        <Button variant="default" loading={reactivation.busy} onClick={() => void reactivation.run()}>
          <Trans>Reactivate</Trans>
        </Button>
      )}
      <ConfirmButton
        label={<Trans>Delete</Trans>}
        title={t`Delete the user?`}
        isShown={!isSelf}
        c="var(--mantine-color-error)"
        submit={<Trans>Delete for ever</Trans>}
        isDangerous
        changes={userChanges}
        action={() => ask('DELETE /users/{id}', { id })}
        done={() => {
          confirmDone(t`User deleted`);
          void navigate({ to: '/settings/users', ignoreBlocker: true });
        }}
      >
        <Trans>
          All that is stored of {name} is removed, but not what the audit says of what they did. Nobody can
          undo that. Keys that they have made go on working.
        </Trans>
      </ConfirmButton>
      {reactivation.error !== null && <Failure error={reactivation.error} />}
      <LinkDialog invited={invited} done={() => setInvited(null)} />
    </>
  );
}
