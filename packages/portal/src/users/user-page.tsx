import { Box, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useAnswer } from '../api/answer.ts';
import { ask } from '../api/ask.ts';
import { identityQuery, userQuery } from '../api/queries.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { moment } from '../parts/dates.ts';
import { Failure } from '../parts/failure.tsx';
import { TextLink } from '../parts/link-button.tsx';
import { Page } from '../parts/page.tsx';
import { useDraft } from '../parts/stay.ts';
import { When } from '../parts/when.tsx';
import { useUserAction } from './use-user-action.ts';
import { UserActions } from './user-actions.tsx';
import { changesOf, type Entry, type Missing, useMissing, UserFields } from './user-fields.tsx';
import { type User, UserStatus } from './user-parts.tsx';

/** A user with what they may do, and what can be done with them. */
export function UserPage() {
  const { t } = useLingui();
  const { id } = useParams({ from: '/shell/settings/users/$id' });
  const { data: user, error, refetch } = useAnswer(userQuery(id));
  const { data: identity } = useQuery(identityQuery);
  const isSelf = identity?.user.id === id;
  return (
    <Page
      title={user?.name ?? t`User`}
      lead={user && <UserStatus status={user.status} />}
      above={
        <TextLink to="/settings/users" size="sm">
          <Trans>Users</Trans>
        </TextLink>
      }
      actions={user && <UserActions user={user} isSelf={isSelf} />}
    >
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!user && !error && <Skeleton height={220} radius="lg" />}
      {user && <Facts user={user} />}
      {user && <Permissions key={user.id} user={user} isSelf={isSelf} />}
    </Page>
  );
}

function Facts({ user }: { user: User }) {
  const { t } = useLingui();
  const { id, name, email, createdAt, lastSignInAt, invitedUntil } = user;
  return (
    <Box className="surface" p={{ base: 'md', xs: 'lg' }}>
      <Title order={2} mb="md">
        <Trans>About this user</Trans>
      </Title>
      <dl className="facts">
        <dt>
          <Trans>E-mail</Trans>
        </dt>
        <dd style={{ overflowWrap: 'anywhere' }}>{email}</dd>
        <dt>
          <Trans>Last sign-in</Trans>
        </dt>
        <dd>{lastSignInAt ? <When at={lastSignInAt} /> : <Trans>Never</Trans>}</dd>
        {user.status === 'invited' && (
          <>
            <dt>
              <Trans>Invitation</Trans>
            </dt>
            <dd>
              {invitedUntil ? (
                <Trans>
                  works until <When at={invitedUntil} />
                </Trans>
              ) : (
                <Trans>has run out: make a new link</Trans>
              )}
            </dd>
          </>
        )}
        <dt>
          <Trans>Created</Trans>
        </dt>
        <dd>{moment(createdAt)}</dd>
        <dt>
          <Trans>Technical id</Trans>
        </dt>
        <dd>
          <span className="mono">{id}</span> <CopyButton text={id} label={t`Copy the id of ${name}`} />
        </dd>
      </dl>
    </Box>
  );
}

function Permissions({ user, isSelf }: { user: User; isSelf: boolean }) {
  const missingIn = useMissing();
  const [changed, setChanged] = useState<Partial<Entry> | null>(null);
  const [missing, setMissing] = useState<Missing>({});
  const entry = { ...user, ...changed };
  useDraft(changed !== null);
  const save = useUserAction(
    () => ask('PATCH /users/{id}', { id: user.id, body: changesOf(user, changed ?? {}) }),
    // Text typed meanwhile is not saved yet.
    () => setChanged(now => (now === changed ? null : now)),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const lacks = missingIn(entry);
    setMissing(lacks);
    if (Object.keys(lacks).length === 0) void save.run();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack className="surface" p={{ base: 'md', xs: 'lg' }} gap="lg" maw={760}>
        <Title order={2}>
          <Trans>What the user may do</Trans>
        </Title>
        <UserFields
          entry={entry}
          change={more => setChanged(before => ({ ...before, ...more }))}
          missing={missing}
          fixed={isSelf ? ['COMPANY_ADMIN'] : []}
        />
        {isSelf && (
          <Text size="sm" c="dimmed">
            <Trans>This is you. Somebody else who administrates has to take that from you.</Trans>
          </Text>
        )}
        {save.error !== null && <Failure error={save.error} />}
        <Group>
          <Button type="submit" loading={save.busy} disabled={changed === null}>
            <Trans>Save</Trans>
          </Button>
          {changed !== null && (
            <Button variant="default" onClick={() => setChanged(null)}>
              <Trans>Undo</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
