import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { ask } from '../../api/ask.ts';
import { signInMethodsQuery } from '../../api/queries.ts';
import { Failure } from '../../kit/failure.tsx';
import { useAttempt } from '../../kit/form/use-action.ts';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { Entry } from './entry.tsx';

/** The sent request: the email address, and the lifetime of its link. */
interface Asked {
  readonly email: string;
  readonly minutes: number;
}

/** For who has forgotten the password, or has none yet. */
export function ForgottenPage() {
  const { t } = useLingui();
  const { data: methods, error } = useQuery(signInMethodsQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <Entry title={t`Forgot your password?`} lead={<Trans>We send you a link to choose a new one.</Trans>}>
      <Stack>
        {error && <Failure error={error} />}
        {!methods && !error && <Skeleton height={96} radius="md" />}
        {methods?.passwordReset === false && <AskAdministrator />}
        {methods?.passwordReset && (asked ? <LinkSent {...asked} /> : <EmailForm taken={setAsked} />)}
        <TextLink to="/sign-in" size="sm">
          <Trans>Go to sign-in</Trans>
        </TextLink>
      </Stack>
    </Entry>
  );
}

function AskAdministrator() {
  return (
    <Text>
      <Trans>This installation does not send email. Ask your Kontor administrator for a link.</Trans>
    </Text>
  );
}

function EmailForm({ taken }: { taken: (asked: Asked) => void }) {
  const { t } = useLingui();
  const { attempt, busy, error } = useAttempt();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = (new FormData(event.currentTarget).get('email') as string).trim();
    await attempt('send', async () => {
      const { minutes } = await ask('POST /password-reset', { body: { email } });
      taken({ email, minutes });
    });
  };
  return (
    <form onSubmit={event => void submit(event)}>
      <Stack>
        <TextInput
          label={t`Email`}
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          size="md"
        />
        {error !== null && <Failure error={error} />}
        <Button type="submit" size="md" loading={busy !== null} fullWidth>
          <Trans>Send me a link</Trans>
        </Button>
      </Stack>
    </form>
  );
}

/** Shows the same for a known and an unknown email. It takes the focus, which the form had. */
function LinkSent({ email, minutes }: Asked) {
  const words = useRef<HTMLDivElement>(null);
  useEffect(() => words.current?.focus(), []);
  return (
    <Stack ref={words} tabIndex={-1} role="status" gap="xs" style={{ outline: 'none' }}>
      <Text style={{ overflowWrap: 'anywhere' }}>
        <Trans>
          If there is an account for {email}, a message with a link is on its way. The link can be used once
          and works for at least {minutes} minutes.
        </Trans>
      </Text>
      <Text size="sm" c="dimmed">
        <Trans>
          No message after a few minutes? Check your spam folder, and check that this is the address that you
          sign in with.
        </Trans>
      </Text>
    </Stack>
  );
}
