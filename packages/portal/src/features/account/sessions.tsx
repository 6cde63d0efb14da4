import { Button, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { ask } from '../../api/ask.ts';
import { sessionsQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { SessionCard } from '../../kit/devices.tsx';
import { Failure } from '../../kit/failure.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { Page } from '../../kit/navigation/page.tsx';

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
              <SessionCard
                key={session.id}
                session={session}
                list={sessionsQuery.queryKey}
                end={() => ask('DELETE /sessions/{id}', { id: session.id })}
              />
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
