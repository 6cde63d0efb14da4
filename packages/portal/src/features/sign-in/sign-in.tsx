import { Alert, Button, Divider, Stack, TextInput } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useEffect } from 'react';
import { type AnswerOf, ask, Rejection } from '../../api/ask.ts';
import { leaveForIssuer } from '../../api/openid.ts';
import { passkeysWork, signInWithPasskey } from '../../api/passkeys.ts';
import { identityQuery, queryClient, signInMethodsQuery } from '../../api/queries.ts';
import { Failure } from '../../kit/failure.tsx';
import { PasswordField } from '../../kit/form/password.tsx';
import { useAttempt } from '../../kit/form/use-action.ts';
import { Icon } from '../../kit/icon.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import type { SignInReason } from '../../kit/navigation/sign-in-redirect.ts';
import { Entry } from './entry.tsx';

type Identity = AnswerOf<'POST /session'>;
type Method = Identity['confirmsWith'][number];

export function SignInPage() {
  const { t } = useLingui();
  const router = useRouter();
  const { from, reason } = useSearch({ from: '/sign-in' });
  const { data: identity } = useQuery(identityQuery);
  // Also after a sign-in in another tab.
  useEffect(() => {
    if (identity) router.history.push(`/portal${from ?? '/'}`);
  }, [identity, from, router]);
  const { data: methods } = useQuery(signInMethodsQuery);
  const { attempt, busy, error } = useAttempt<Method>();
  const enter = (method: Method, signIn: () => Promise<Identity>) =>
    attempt(method, async () => {
      queryClient.setQueryData(identityQuery.queryKey, await signIn());
    });
  const leave = () => attempt('openid', () => leaveForIssuer({ kind: 'sign-in', from }));
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const email = (fields.get('email') as string).trim();
    const password = fields.get('password') as string;
    const entered = await enter('password', () =>
      ask('POST /session', { body: { email, password } }).catch(failedWithPassword),
    );
    if (!entered) form.querySelector<HTMLInputElement>('[name=password]')?.select();
  };
  return (
    <Entry title={t`Sign in`} lead={<Trans>For everyone who manages integrations, HR and companies.</Trans>}>
      <form onSubmit={event => void submit(event)}>
        <Stack>
          {reason && <Reason reason={reason} />}
          <TextInput
            label={t`Email`}
            name="email"
            type="email"
            autoComplete="username"
            required
            autoFocus
            size="md"
          />
          <PasswordField size="md" />
          {error !== null && <Failure error={error} />}
          <Button type="submit" size="md" loading={busy === 'password'} fullWidth>
            <Trans>Sign in</Trans>
          </Button>
          <OtherMethods methods={methods} busy={busy} enter={enter} leave={leave} />
          <TextLink to="/forgotten-password" size="sm">
            <Trans>No password yet, or forgotten it?</Trans>
          </TextLink>
        </Stack>
      </form>
    </Entry>
  );
}

/** Why the user is here. */
function Reason({ reason }: { reason: SignInReason }) {
  const { t } = useLingui();
  const words: Record<SignInReason, string> = {
    expired: t`Your session has expired. Sign in again to continue.`,
    ended: t`Your session was ended: by an administrator, from another browser, or by a new password.`,
    'signed-out': t`You are signed out.`,
  };
  return (
    <Alert role="status" variant="default" icon={<Icon name="lock" />} p="sm">
      {words[reason]}
    </Alert>
  );
}

/** Others may have failed with this email, so the page names the remaining methods. */
function failedWithPassword(error: unknown): never {
  if (!(error instanceof Rejection) || error.code !== 'RATE_LIMIT_EXCEEDED') throw error;
  throw error.as('SIGN_IN_LIMITED');
}

interface OtherMethodsProps {
  readonly methods: AnswerOf<'GET /sign-in-methods'> | undefined;
  readonly busy: Method | null;
  readonly enter: (method: Method, signIn: () => Promise<Identity>) => Promise<boolean>;
  /** For the issuer of OpenID Connect. */
  readonly leave: () => Promise<unknown>;
}

/** The ways to sign in beside email and password, where there are any. */
function OtherMethods({ methods, busy, enter, leave }: OtherMethodsProps) {
  const byPasskey = passkeysWork(methods);
  const issuer = methods?.openIdName;
  if (!byPasskey && !issuer) return null;
  return (
    <>
      <Divider label={<Trans>or</Trans>} />
      {byPasskey && (
        <Button
          {...appearance}
          loading={busy === 'passkey'}
          leftSection={<Icon name="passkey" />}
          onClick={() => void enter('passkey', signInWithPasskey)}
        >
          <Trans>Sign in with a passkey</Trans>
        </Button>
      )}
      {issuer && (
        <Button
          {...appearance}
          loading={busy === 'openid'}
          leftSection={<Icon name="building" />}
          onClick={() => void leave()}
        >
          <Trans>Sign in with {issuer}</Trans>
        </Button>
      )}
    </>
  );
}

/** How the ways beside the password look. */
const appearance = { variant: 'default', size: 'md', fullWidth: true } as const;
