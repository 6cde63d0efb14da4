import { Stack, Text } from '@mantine/core';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useAnswer } from '../../api/answer.ts';
import { ask } from '../../api/ask.ts';
import { userSessionsQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Section } from '../../kit/detail/detail-page.tsx';
import { SessionCard } from '../../kit/devices.tsx';
import { ConfirmButton } from '../../kit/overlay/dialog.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import type { User } from './user-parts.tsx';

/** Where a user is signed in. An administrator ends the session of a lost device. */
export function UserSessions({ user: { id } }: { user: User }) {
  const { t } = useLingui();
  const query = userSessionsQuery(id);
  const answer = useAnswer(query);
  const others = answer.data?.items.filter(({ current }) => !current) ?? [];
  return (
    <Section
      title={t`Sessions`}
      aside={
        <ConfirmButton
          label={<Trans>End all sessions</Trans>}
          title={t`End all sessions?`}
          isShown={others.length > 0}
          size="xs"
          changes={[query.queryKey]}
          action={() => ask('DELETE /users/{id}/sessions', { id })}
          done={() => confirmDone(t`Sessions ended`)}
        >
          <Trans>
            The user is signed out everywhere and loses unsaved input. The user can sign in again. Deactivate
            the user to prevent that.
          </Trans>
        </ConfirmButton>
      }
    >
      <Answered answer={answer} height={90}>
        {({ items, totalElements }) => (
          <Stack gap="sm">
            {items.map(session => (
              <SessionCard
                key={session.id}
                session={session}
                list={query.queryKey}
                end={() => ask('DELETE /users/{id}/sessions/{sessionId}', { id, sessionId: session.id })}
              />
            ))}
            {totalElements === 0 && (
              <Text c="dimmed">
                <Trans>This user is not signed in.</Trans>
              </Text>
            )}
            {totalElements > items.length && (
              <Text c="dimmed">
                {t`${plural(totalElements - items.length, { one: '# more session', other: '# more sessions' })}, used longer ago`}
              </Text>
            )}
          </Stack>
        )}
      </Answered>
    </Section>
  );
}
