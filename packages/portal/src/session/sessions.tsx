import { Badge, Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAnswer } from '../api/answer.ts';
import { type AnswerOf, ask } from '../api/ask.ts';
import { sessionsQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';
import { browserOf } from './browser.ts';
import { useFreshly } from './fresh-sign-in.tsx';
import { useAction } from './use-action.ts';

type Session = AnswerOf<'GET /sessions'>['items'][number];

export function SessionsPage() {
  const { t } = useLingui();
  const { data, error, refetch } = useAnswer(sessionsQuery);
  return (
    <Page
      title={t`My sessions`}
      lead={
        <Trans>
          Where you are signed in. A session ends an hour after its last use, and after twelve hours.
        </Trans>
      }
    >
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={90} radius="lg" />}
      <Stack gap="sm">
        {data?.items.map(session => (
          <SessionCard key={session.id} session={session} />
        ))}
      </Stack>
      {data && <SignOutElsewhere />}
    </Page>
  );
}

/** Ends all sessions of the user except this one. */
function SignOutElsewhere() {
  const freshly = useFreshly();
  const [isDone, setIsDone] = useState(false);
  const { run, busy, error } = useAction(
    [sessionsQuery.queryKey],
    () => freshly(() => ask('DELETE /sessions', {})),
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
  const freshly = useFreshly();
  const end = useAction([sessionsQuery.queryKey], () =>
    freshly(() => ask('DELETE /sessions/{id}', { id: session.id })),
  );
  const browser = browserOf(session.userAgent);
  const { address } = session;
  return (
    <Box className="surface" p="md">
      <Group justify="space-between" gap="sm">
        <Group gap="md" wrap="nowrap" align="flex-start" style={{ minWidth: 0, flex: '1 1 220px' }}>
          <Box c="dimmed" mt={2}>
            <Icon name="device" size={22} />
          </Box>
          <Box miw={0}>
            <Group gap="xs">
              <Text fw={600}>{browser ?? t`Unknown browser`}</Text>
              {session.current && (
                <Badge variant="default" tt="none">
                  <Trans>This one</Trans>
                </Badge>
              )}
            </Group>
            <Text size="sm" c="dimmed" component="div">
              <Trans>
                Last used <When at={session.lastSeenAt} /> · signed in <When at={session.createdAt} /> from{' '}
                {address}
              </Trans>
            </Text>
          </Box>
        </Group>
        {!session.current && (
          <Button
            variant="default"
            size="xs"
            loading={end.busy}
            onClick={() => void end.run()}
            aria-label={t`End the session of ${browser ?? address}`}
          >
            <Trans>End</Trans>
          </Button>
        )}
      </Group>
      {end.error !== null && <Failure error={end.error} />}
    </Box>
  );
}
