import { Button, Group, Stack, TextInput } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { type AnswerOf, ask, Rejection } from '../api/ask.ts';
import type { Language } from '../i18n.ts';
import { Failure } from '../parts/failure.tsx';
import { TextLink } from '../parts/link-button.tsx';
import { Page } from '../parts/page.tsx';
import { useDraft } from '../parts/stay.ts';
import { useMaking } from '../session/use-making.ts';
import { LinkDialog } from './link-dialog.tsx';
import { type Entry, type Missing, sentOf, useMissing, UserFields } from './user-fields.tsx';

/** Invites somebody, whose link is shown once. */
export function InvitePage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [made, setMade] = useState<AnswerOf<'POST /users'> | null>(null);
  return (
    <Page
      title={t`Invite a user`}
      above={
        <TextLink to="/settings/users" size="sm">
          <Trans>Users</Trans>
        </TextLink>
      }
    >
      <InviteForm made={setMade} />
      <LinkDialog
        invited={made}
        done={() =>
          void navigate({ to: '/settings/users/$id', params: { id: made!.id }, ignoreBlocker: true })
        }
      />
    </Page>
  );
}

function InviteForm({ made }: { made: (user: AnswerOf<'POST /users'>) => void }) {
  const { t, i18n } = useLingui();
  const missingIn = useMissing();
  const [email, setEmail] = useState('');
  const [entry, setEntry] = useState<Entry>({
    name: '',
    language: i18n.locale as Language,
    permissions: [],
    hrTenants: [],
  });
  const [missing, setMissing] = useState<Missing>({});
  const { make, busy, error, forget } = useMaking('users', made);
  const isTaken = error instanceof Rejection && error.code === 'DUPLICATE_RESOURCE';
  useDraft();
  const invite = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const lacks = {
      ...(!/^\S+@\S+\.\S+$/.test(email.trim()) && { email: t`Say the e-mail, such as anna@example.com.` }),
      ...missingIn(entry),
    };
    setMissing(lacks);
    forget();
    const [first] = Object.keys(lacks);
    if (first !== undefined) {
      event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
      return;
    }
    const body = { email: email.trim(), ...sentOf(entry) };
    await make(() => ask('POST /users', { body }));
  };
  return (
    <form onSubmit={event => void invite(event)} noValidate>
      <Stack gap="lg" maw={760}>
        <Stack className="surface" p={{ base: 'md', xs: 'lg' }} gap="lg">
          <TextInput
            type="email"
            name="email"
            label={t`E-mail`}
            description={t`With which the user signs in; it cannot be changed later`}
            required
            maxLength={254}
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            error={isTaken ? t`Somebody has this e-mail already; each belongs to one user.` : missing.email}
            autoComplete="off"
          />
          <UserFields
            entry={entry}
            change={changed => setEntry(before => ({ ...before, ...changed }))}
            missing={missing}
          />
        </Stack>
        {error !== null && !isTaken && <Failure error={error} />}
        <Group>
          <Button type="submit" loading={busy}>
            <Trans>Make the invitation</Trans>
          </Button>
          <TextLink to="/settings/users">
            <Trans>Cancel</Trans>
          </TextLink>
        </Group>
      </Stack>
    </form>
  );
}
