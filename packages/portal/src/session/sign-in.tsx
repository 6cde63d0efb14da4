import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useRouter, useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { ask } from '../api/ask.ts';
import { identityQuery, queryClient } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { TextLink } from '../parts/link-button.tsx';
import { Entry } from './entry.tsx';

export function SignInPage() {
  const { t } = useLingui();
  const router = useRouter();
  const { from } = useSearch({ from: '/sign-in' });
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const signIn = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const [email, password] = ['email', 'password'].map(name => fields.get(name) as string) as [
      string,
      string,
    ];
    setBusy(true);
    setError(null);
    try {
      const identity = await ask('POST /session', { body: { email: email.trim(), password } });
      queryClient.setQueryData(identityQuery.queryKey, identity);
      if (from) router.history.push(`/portal${from}`);
      else await router.navigate({ to: '/' });
    } catch (failure) {
      setError(failure);
      form.querySelector<HTMLInputElement>('[name=password]')?.select();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Entry
      title={t`Sign in`}
      lead={<Trans>For the people who look after integrations, HR and companies.</Trans>}
    >
      <form onSubmit={event => void signIn(event)}>
        <Stack>
          <TextInput
            label={t`E-mail`}
            name="email"
            type="email"
            autoComplete="username"
            required
            autoFocus
            size="md"
          />
          <PasswordInput
            label={t`Password`}
            name="password"
            autoComplete="current-password"
            required
            size="md"
            visibilityToggleButtonProps={{ 'aria-label': t`Show or hide the password`, tabIndex: 0 }}
          />
          {error !== null && <Failure error={error} />}
          <Button type="submit" size="md" loading={busy} fullWidth>
            <Trans>Sign in</Trans>
          </Button>
          <TextLink to="/forgotten-password" size="sm">
            <Trans>No password yet, or forgotten it?</Trans>
          </TextLink>
        </Stack>
      </form>
    </Entry>
  );
}
