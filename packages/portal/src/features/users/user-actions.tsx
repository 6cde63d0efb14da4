import { Button } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type AnswerOf, ask } from '../../api/ask.ts';
import { Failure } from '../../kit/failure.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { useUndo } from '../../kit/form/use-undo.tsx';
import { ConfirmButton } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
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
  const confirmUndo = useUndo(userChanges);
  const isInactive = status === 'inactive';
  return (
    <>
      <ConfirmButton
        label={status === 'invited' ? <Trans>Invite again</Trans> : <Trans>Reset password</Trans>}
        title={t`Create a new link?`}
        isShown={!isInactive}
        submit={<Trans>Create link</Trans>}
        changes={userChanges}
        action={() => ask('POST /users/{id}/invitation', { id })}
        done={setInvited}
      >
        <Trans>
          The user sets a password with the link. It can be used once and expires in three days. Earlier links
          stop working. The current password works until the new link is used.
        </Trans>
      </ConfirmButton>
      <ConfirmButton
        label={<Trans>Deactivate</Trans>}
        title={t`Deactivate the user?`}
        isShown={!isSelf && !isInactive}
        changes={userChanges}
        action={() => ask('POST /users/{id}/deactivation', { id })}
        done={() =>
          confirmUndo({
            done: t`User deactivated`,
            undo: () => ask('POST /users/{id}/reactivation', { id }),
            undone: t`User reactivated`,
          })
        }
      >
        <Trans>
          The user is signed out everywhere and cannot sign in until you reactivate them. API keys that they
          created continue to work.
        </Trans>
      </ConfirmButton>
      {isInactive && (
        <Button variant="default" loading={reactivation.busy} onClick={() => void reactivation.run()}>
          <Trans>Reactivate</Trans>
        </Button>
      )}
      <ConfirmButton
        label={status === 'invited' ? <Trans>Withdraw the invitation</Trans> : <Trans>Delete</Trans>}
        title={status === 'invited' ? t`Withdraw the invitation?` : t`Delete the user?`}
        isShown={!isSelf}
        c="var(--mantine-color-error)"
        submit={status === 'invited' ? <Trans>Withdraw</Trans> : <Trans>Delete permanently</Trans>}
        isDangerous
        changes={userChanges}
        action={() => ask('DELETE /users/{id}', { id })}
        done={() => {
          confirmDone(status === 'invited' ? t`The invitation is withdrawn.` : t`User deleted`);
          void navigate({ to: '/settings/users', ignoreBlocker: true });
        }}
      >
        {status === 'invited' ? (
          <Trans>The link stops working, and {name} is deleted. You can invite the person again.</Trans>
        ) : (
          <Trans>
            All data about {name} is deleted. The audit log keeps the entries about their actions. This cannot
            be undone. API keys that they created continue to work.
          </Trans>
        )}
      </ConfirmButton>
      {reactivation.error !== null && <Failure error={reactivation.error} />}
      <LinkDialog invited={invited} done={() => setInvited(null)} />
    </>
  );
}
