import { Box, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
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
  const { t } = useLingui();
  const freshly = useFreshly();
  const identity = queryClient.getQueryData(identityQuery.queryKey);
  const email = identity?.user.email ?? '';
  const hasPassword = identity?.confirmsWith.includes('password') ?? false;
  const { attempt, busy, error, forget } = useAttempt();
  useDraft();
  const { isShort, isLongEnough } = useNewPassword();
  const [isMissing, setIsMissing] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const password = fields.get('password') as string;
    const currentPassword = fields.get('currentPassword') as string | null;
    setIsMissing(currentPassword === '');
    forget();
    if (!isLongEnough(password) || currentPassword === '') return;
    await attempt('send', async () => {
      const body = { password, ...(currentPassword !== null && { currentPassword }) };
      const identity = await freshly(() => ask('POST /password', { body }));
      queryClient.setQueryData(identityQuery.queryKey, identity);
      void queryClient.invalidateQueries(sessionsQuery);
      done();
    });
  };
  return (
    <form onSubmit={event => void submit(event)} noValidate>
      <Stack>
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        {hasPassword && (
          <PasswordInput
            label={t`Current password`}
            name="currentPassword"
            autoComplete="current-password"
            required
            error={isMissing && t`Enter your current password.`}
            visibilityToggleButtonProps={{ 'aria-label': t`Show or hide the password`, tabIndex: 0 }}
          />
        )}
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
