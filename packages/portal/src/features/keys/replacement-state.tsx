import { Box, Text } from '@mantine/core';
import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { healthQuery, keyQuery, usageQuery } from '../../api/queries.ts';
import { Icon } from '../../kit/icon.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { useTick } from '../../kit/tick.ts';
import { When } from '../../kit/when.tsx';
import { requestsToday } from './days.ts';
import type { Key } from './key-parts.tsx';
import shared from '../../kit/shared.module.css';
import styles from './replacement-state.module.css';

/** Seconds without a request after which a key is no longer in use, unless its interval is longer. */
const quiet = 15 * 60;

/** The same for a key with an unknown interval: many systems come once a day. */
const quietUnknown = 26 * 3600;

/** For a replaced or replacing key: live usage of the old key. */
export function ReplacementState({ shown }: { shown: Key }) {
  const { data } = useQuery(healthQuery(shown.id));
  if (!data) return null;
  return (
    <>
      {data.replacedBy && (
        <Box className={`${shared.surface} ${styles.notice}`} p="md">
          <Trans>
            This key was replaced by <KeyLink id={data.replacedBy} />.
          </Trans>{' '}
          {shown.status === 'active' && (
            <Trans>It cannot be replaced again while the new key exists: replace or delete that one.</Trans>
          )}
          <LiveUse id={shown.id} />
        </Box>
      )}
      {data.replaces && (
        <Box className={`${shared.surface} ${styles.notice}`} p="md">
          <Trans>
            This key replaces <KeyLink id={data.replaces} />.
          </Trans>{' '}
          <LiveUse id={data.replaces} />
        </Box>
      )}
    </>
  );
}

function KeyLink({ id }: { id: string }) {
  const { data } = useQuery(keyQuery(id));
  return (
    <TextLink to="/settings/api-keys/$id" params={{ id }} underline="always">
      {data?.name ?? id}
    </TextLink>
  );
}

/** Whether an instant was in the last so many milliseconds. */
function isWithin(instant: string, milliseconds: number): boolean {
  return Date.now() - Date.parse(instant) < milliseconds;
}

/** Asked for again every few seconds, as everything of a key. */
function LiveUse({ id }: { id: string }) {
  useTick();
  const { data: key } = useQuery(keyQuery(id));
  const { data: health } = useQuery(healthQuery(id));
  const { data: usage } = useQuery(usageQuery(id));
  if (!key || key.status === 'deleted' || !health || !usage) return null;
  const { lastUsedAt, computedIntervalSeconds, expectedIntervalSeconds } = health;
  const pause = Math.max(quiet, expectedIntervalSeconds ?? computedIntervalSeconds ?? quietUnknown) * 1000;
  const requests = requestsToday(usage.days);
  const isInUse = lastUsedAt !== null && isWithin(lastUsedAt, pause);
  return (
    <Text component="div" mt={4} role="status">
      <Icon name={isInUse ? 'clock' : 'check'} size={16} />{' '}
      {lastUsedAt === null ? (
        <Trans>The old key was never used. You can delete it.</Trans>
      ) : isInUse ? (
        <Trans>
          The old key is still in use: last <When at={lastUsedAt} />,{' '}
          <Plural value={requests} one="# request" other="# requests" /> today.
        </Trans>
      ) : (
        <Trans>
          The old key is no longer used. Its last request was <When at={lastUsedAt} />. You can delete it.
        </Trans>
      )}
    </Text>
  );
}
