import { Button, Stack } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ask } from '../../api/ask.ts';
import { identityQuery, queryClient } from '../../api/queries.ts';
import { fewest, NewPassword, useLengthCheck } from '../../kit/form/password.tsx';
import { useAttempt } from '../../kit/form/use-action.ts';
import { useFields } from '../../kit/form/use-fields.ts';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { Entry } from './entry.tsx';

/**
 * The token behind `#` in the link. It is removed from the address at once, so that no history keeps it. A second link opened in the same
 * tab replaces only the token.
 */
function useSecret(): string {
  const [secret, setSecret] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    const take = () => {
      const found = window.location.hash.slice(1);
      if (!found) return;
      setSecret(found);
      window.history.replaceState(window.history.state, '', window.location.pathname);
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  return secret;
}

export function InvitationPage() {
  const { t } = useLingui();
  const secret = useSecret();
  return (
    <Entry
      title={t`Set your password`}
      lead={
        <Trans>
          At least {fewest} characters. Several random words are easy to remember. You can use a password
          manager.
        </Trans>
      }
    >
      {secret ? <PasswordForm key={secret} secret={secret} /> : <NoSecret />}
    </Entry>
  );
}

function NoSecret() {
  return (
    <Stack>
      <Trans>The link is incomplete. Open the whole link, including the part after #.</Trans>
      <TextLink to="/sign-in">
        <Trans>Go to sign-in</Trans>
      </TextLink>
    </Stack>
  );
}

function PasswordForm({ secret }: { secret: string }) {
  const router = useRouter();
  const check = useLengthCheck(fewest);
  const { attempt, busy, error, forget } = useAttempt();
  const accept = (password: string) =>
    attempt('send', async () => {
      const identity = await ask('POST /invitation/acceptance', { body: { secret, password } });
      queryClient.setQueryData(identityQuery.queryKey, identity);
      await router.navigate({ to: '/' });
    });
  const { form, submit } = useFields({
    initialValues: { password: '' },
    validate: ({ password }) => ({ password: check(password) }),
    send: ({ password }) => accept(password),
    action: { error, forget },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NewPassword {...form.getInputProps('password')} rejection={error} size="md" autoFocus />
        <Button type="submit" size="md" loading={busy !== null} fullWidth>
          <Trans>Set password and sign in</Trans>
        </Button>
      </Stack>
    </form>
  );
}
