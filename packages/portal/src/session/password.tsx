import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type SubmitEvent, useState } from 'react';
import { ask } from '../api/ask.ts';
import { identityQuery, queryClient, sessionsQuery } from '../api/queries.ts';
import { Icon } from '../parts/icon.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Page } from '../parts/page.tsx';
import { useDraft } from '../parts/stay.ts';
import { useFreshly } from './fresh-sign-in.tsx';
import { fewest, NewPassword, useNewPassword } from './new-password.tsx';
import { useAttempt } from './use-attempt.ts';

/** Sets another password of the user. */
export function PasswordPage() {
  const { t } = useLingui();
  const [done, setDone] = useState(false);
  return (
    <Page
      title={t`Set another password`}
      lead={
        <Trans>
          At least {fewest} characters; a few words in a row are easy to remember. You are signed out
          everywhere else.
        </Trans>
      }
    >
      <Box className="surface" p={{ base: 'md', xs: 'xl' }} maw={560}>
        {done ? <Done /> : <PasswordForm done={() => setDone(true)} />}
      </Box>
    </Page>
  );
}

function Done() {
  return (
    <Stack>
      <Group gap="sm" wrap="nowrap" role="status">
        <Icon name="check" />
        <Text>
          <Trans>Your password is changed. All your other sessions have ended.</Trans>
        </Text>
      </Group>
      <Group>
        <LinkButton to="/account" variant="default">
          <Trans>To my account</Trans>
        </LinkButton>
      </Group>
    </Stack>
  );
}

function PasswordForm({ done }: { done: () => void }) {
  const freshly = useFreshly();
  const email = queryClient.getQueryData(identityQuery.queryKey)?.user.email ?? '';
  const { attempt, busy, error, forget } = useAttempt();
  useDraft();
  const { isShort, isLongEnough } = useNewPassword();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password') as string;
    forget();
    if (!isLongEnough(password)) return;
    await attempt('send', async () => {
      const identity = await freshly(() => ask('POST /password', { body: { password } }));
      queryClient.setQueryData(identityQuery.queryKey, identity);
      void queryClient.invalidateQueries(sessionsQuery);
      done();
    });
  };
  return (
    <form onSubmit={event => void submit(event)} noValidate>
      <Stack>
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <NewPassword isShort={isShort} error={error} />
        <Group justify="flex-end">
          <LinkButton to="/account" variant="default">
            <Trans>Cancel</Trans>
          </LinkButton>
          <Button type="submit" loading={busy !== null}>
            <Trans>Set the password</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
