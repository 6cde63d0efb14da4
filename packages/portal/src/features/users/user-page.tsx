import { Button, Group, Stack, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { ask } from '../../api/ask.ts';
import { identityQuery, userQuery } from '../../api/queries.ts';
import { moment } from '../../kit/dates.ts';
import { DetailPage, Section } from '../../kit/detail/detail-page.tsx';
import { Email } from '../../kit/email.tsx';
import { Fact, Facts, TechnicalId } from '../../kit/detail/facts.tsx';
import { Failure } from '../../kit/failure.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { UnsavedChanges } from '../../kit/form/unsaved-changes.tsx';
import { confirmDone } from '../../kit/toasts.tsx';
import { When, WhenOrNever } from '../../kit/when.tsx';
import { UserActions } from './user-actions.tsx';
import { changesOf, type Entry, useMissing, UserFields } from './user-fields.tsx';
import { type User, userChanges, UserStatus } from './user-parts.tsx';
import { UserSessions } from './user-sessions.tsx';
import shared from '../../kit/shared.module.css';

/** A user with what they may do, and what can be done with them. */
export function UserPage() {
  const { t } = useLingui();
  const { id } = useParams({ from: '/shell/settings/users/$id' });
  const { data: identity } = useQuery(identityQuery);
  const isSelf = identity?.user.id === id;
  const answer = useAnswer(userQuery(id));
  const user = answer.data;
  return (
    <DetailPage
      answer={answer}
      kind={t`User`}
      back={{ to: '/settings/users', name: t`Users` }}
      lead={user && <UserStatus status={user.status} />}
      actions={user && <UserActions user={user} isSelf={isSelf} />}
    >
      {user => (
        <>
          <About user={user} />
          <Permissions key={user.id} user={user} isSelf={isSelf} />
          <UserSessions user={user} />
        </>
      )}
    </DetailPage>
  );
}

function About({ user }: { user: User }) {
  const { t } = useLingui();
  const { email, status, createdAt, lastSignInAt, invitedUntil } = user;
  return (
    <Section title={t`About this user`}>
      <Facts>
        <Fact name={t`Email`}>
          <Email address={email} />
        </Fact>
        <Fact name={t`Last sign-in`}>
          <WhenOrNever at={lastSignInAt} />
        </Fact>
        {status === 'invited' && (
          <Fact name={t`Invitation`}>
            {invitedUntil ? (
              <Trans>
                expires <When at={invitedUntil} />
              </Trans>
            ) : (
              <Trans>has expired: create a new link</Trans>
            )}
          </Fact>
        )}
        <Fact name={t`Created`}>{moment(createdAt)}</Fact>
        <Fact name={t`ID`}>
          <TechnicalId {...user} />
        </Fact>
      </Facts>
    </Section>
  );
}

function Permissions({ user, isSelf }: { user: User; isSelf: boolean }) {
  const { t } = useLingui();
  const missingIn = useMissing();
  const [changed, setChanged] = useState<Partial<Entry> | null>(null);
  const [isTried, setTried] = useState(false);
  const entry = { ...user, ...changed };
  const lacks = missingIn(entry);
  const save = useAction(
    userChanges,
    () => ask('PATCH /users/{id}', { id: user.id, body: changesOf(user, changed ?? {}) }),
    () => {
      // Text typed meanwhile is not saved yet.
      setChanged(now => (now === changed ? null : now));
      confirmDone(t`Changes saved`);
    },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.values(lacks).every(lack => lack === false)) void save.run();
  };
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isDirty={changed !== null} />
      <Stack className={shared.surface} p={{ base: 'md', xs: 'lg' }} gap="lg" maw="var(--kontor-form)">
        <Title order={2}>
          <Trans>Profile and permissions</Trans>
        </Title>
        <UserFields
          entry={entry}
          change={more => setChanged(before => ({ ...before, ...more }))}
          missing={isTried ? lacks : {}}
          fixed={isSelf ? ['COMPANY_ADMIN'] : []}
        />
        {save.error !== null && <Failure error={save.error} />}
        <Group>
          <Button type="submit" loading={save.busy} disabled={changed === null}>
            <Trans>Save</Trans>
          </Button>
          {changed !== null && (
            <Button variant="default" onClick={() => setChanged(null)}>
              <Trans>Discard</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
