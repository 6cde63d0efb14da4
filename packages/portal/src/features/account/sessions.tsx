import { Button, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { type AnswerOf, ask } from '../../api/ask.ts';
import { sessionsQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Failure } from '../../kit/failure.tsx';
import { ItemCard } from '../../kit/list/item-card.tsx';
import { Page } from '../../kit/navigation/page.tsx';
import { When } from '../../kit/when.tsx';
import { confirmDone } from '../../kit/toasts.tsx';
import { browserOf } from './browser.ts';
import { useAction } from '../../kit/form/use-action.ts';

type Session = AnswerOf<'GET /sessions'>['items'][number];

export function SessionsPage() {
  const { t } = useLingui();
  return (
    <Page
      title={t`My sessions`}
      lead={
        <Trans>
          Your active sessions. A session ends one hour after its last use, and after twelve hours at the
          latest.
        </Trans>
      }
    >
      <Answered answer={useAnswer(sessionsQuery)} height={90}>
        {({ items }) => (
          <Stack gap="sm">
            {items.map(session => (
              <SessionCard key={session.id} session={session} />
            ))}
            <SignOutElsewhere />
          </Stack>
        )}
      </Answered>
    </Page>
  );
}

/** Ends all sessions of the user except this one. */
function SignOutElsewhere() {
  const [isDone, setIsDone] = useState(false);
  const { run, busy, error } = useAction(
    [sessionsQuery.queryKey],
    () => ask('DELETE /sessions', {}),
    () => setIsDone(true),
  );
  return (
    <Stack gap="sm" mt="md" align="flex-start">
      <Button variant="default" loading={busy} onClick={() => void run()}>
        <Trans>Sign out everywhere else</Trans>
      </Button>
      {isDone && (
        <Text role="status" size="sm">
          <Trans>You are signed out everywhere else.</Trans>
        </Text>
      )}
      {error !== null && <Failure error={error} />}
    </Stack>
  );
}

function SessionCard({ session }: { session: Session }) {
  const { t } = useLingui();
  const { id, address, current, createdAt, lastSeenAt } = session;
  const end = useAction(
    [sessionsQuery.queryKey],
    () => ask('DELETE /sessions/{id}', { id }),
    () => confirmDone(t`Session ended`),
  );
  const browser = browserOf(session.userAgent);
  return (
    <>
      <ItemCard
        icon="device"
        name={browser ?? t`Unknown browser`}
        badge={current && <Trans>This one</Trans>}
        actions={
          !current && (
            <Button
              variant="default"
              size="xs"
              loading={end.busy}
              onClick={() => void end.run()}
              aria-label={t`End the session of ${browser ?? address}`}
            >
              <Trans>End</Trans>
            </Button>
          )
        }
      >
        <Trans>
          Last used <When at={lastSeenAt} /> · signed in <When at={createdAt} /> from {address}
        </Trans>
      </ItemCard>
      {end.error !== null && <Failure error={end.error} />}
    </>
  );
}
