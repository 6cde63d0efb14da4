import { Box, Text } from '@mantine/core';
import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { healthQuery, historyQuery, keyQuery, usageQuery } from '../../api/queries.ts';
import { moment } from '../../kit/dates.ts';
import { Actor } from '../../kit/detail/timeline.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { Icon } from '../../kit/icon.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { useTick, When } from '../../kit/when.tsx';
import { Cure, useErrorWords } from './key-errors.tsx';
import type { KeyChange, KeyHistory } from './key-history.tsx';
import type { Key } from './key-parts.tsx';
import { useOperationWords } from './operation-words.tsx';
import { requestsToday } from './usage.tsx';
import shared from '../../kit/shared.module.css';
import styles from './keys.module.css';

const reasons = { inactive: 'deactivated', expired: 'expired', deleted: 'deleted' } as const;

/** Statuses that make a key failing. */
const isFailure = (status: number) => status === 400 || status === 403 || status >= 500;

/** For a failing key: the last of the errors that make it so, and what helps. */
export function FailingNotice({ shown: { id, health } }: { shown: Key }) {
  const { data } = useQuery(healthQuery(id));
  const wordsFor = useErrorWords();
  const operationWords = useOperationWords();
  const error = data?.errors.find(({ status }) => isFailure(status));
  if (health !== 'failing' || !error) return null;
  return (
    <Box className={`${shared.surface} ${styles.notice}`} p="md">
      <Text component="div">
        {operationWords(error.operation)}: {wordsFor(error.status)} (
        <span className={shared.mono}>{error.code}</span>).{' '}
        <TextLink to="." search={previous => ({ ...previous, tab: 'errors' })} underline="always">
          <Trans>Show the last errors</Trans>
        </TextLink>
      </Text>
      <Text component="div" mt={4}>
        <Cure {...error} />
      </Text>
    </Box>
  );
}

/** For a key that does not work: since when, by whom, and whether a system still calls with it. */
export function InactiveNotice({ shown }: { shown: Key }) {
  const { data } = useQuery(historyQuery(shown.id));
  if (shown.status === 'active' || !data) return null;
  const reason = reasons[shown.status];
  return (
    <Box className={shared.surface} p="md">
      <Since shown={shown} changes={data.changes} />
      <Text component="div" role="status">
        <Rejected use={data.rejectedUses.find(use => use.reason === reason)} />
      </Text>
    </Box>
  );
}

/** Nothing when the audit no longer has the change. */
function Since({ shown: { status, expiresAt }, changes }: { shown: Key; changes: readonly KeyChange[] }) {
  if (status === 'expired')
    return (
      expiresAt && (
        <Text component="div">
          <Trans>
            Expired <When at={expiresAt} /> ({moment(expiresAt)}).
          </Trans>
        </Text>
      )
    );
  const action = status === 'deleted' ? 'key.delete' : 'key.deactivate';
  const change = changes.find(change => change.action === action);
  if (!change) return null;
  const { at } = change;
  return (
    <Text component="div">
      {status === 'deleted' ? (
        <Trans>
          Deleted <When at={at} /> ({moment(at)}) by <Actor type={change.actorType} name={change.actorName} />
          .
        </Trans>
      ) : (
        <Trans>
          Deactivated <When at={at} /> ({moment(at)}) by{' '}
          <Actor type={change.actorType} name={change.actorName} />.
        </Trans>
      )}
    </Text>
  );
}

function Rejected({ use }: { use: KeyHistory['rejectedUses'][number] | undefined }) {
  if (!use) return <Trans>No request with it was rejected in 30 days.</Trans>;
  const { count, lastAt, address } = use;
  return (
    <>
      <Trans>
        A system still uses it: <Plural value={count} one="# request" other="# requests" /> rejected in 30
        days, the last <When at={lastAt} />.
      </Trans>{' '}
      {address !== null && (
        <Trans>
          It came from <span className={shared.mono}>{address}</span>.
        </Trans>
      )}
    </>
  );
}

/** Seconds without a request after which a key is no longer in use, unless its interval is longer. */
const quiet = 15 * 60;

/** The same for a key with an unknown interval: many systems come once a day. */
const quietUnknown = 26 * 3600;

/** For a replaced or replacing key: live usage of the old key. */
export function ReplacementState({ shown }: { shown: Key }) {
  const { data } = useQuery(healthQuery(shown.id));
  const mayChange = useMayChange();
  if (!data) return null;
  return (
    <>
      {data.replacedBy && (
        <Box className={`${shared.surface} ${styles.notice}`} p="md">
          <Trans>
            This key was replaced by <KeyLink id={data.replacedBy} />.
          </Trans>{' '}
          {shown.status === 'active' && mayChange && (
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

/** With what tells it apart: both keys often have one name. */
function KeyLink({ id }: { id: string }) {
  const { data } = useQuery(keyQuery(id));
  const createdAt = data && moment(data.createdAt);
  return (
    <>
      <TextLink to="/settings/api-keys/$id" params={{ id }} underline="always">
        {data?.name ?? id}
      </TextLink>
      {data && (
        <>
          {' '}
          <span className={shared.aside}>
            (<span className={shared.mono}>…{data.lastFour}</span>, <Trans>created {createdAt}</Trans>)
          </span>
        </>
      )}
    </>
  );
}

/** Whether an instant was in the last so many milliseconds. */
function isWithin(instant: string, milliseconds: number): boolean {
  return Date.now() - Date.parse(instant) < milliseconds;
}

/** Asked for again every few seconds, as everything of a key. */
function LiveUse({ id }: { id: string }) {
  useTick();
  const mayChange = useMayChange();
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
        <Trans>The old key was never used.</Trans>
      ) : isInUse ? (
        <Trans>
          The old key is still in use: last <When at={lastUsedAt} />,{' '}
          <Plural value={requests} one="# request" other="# requests" /> today.
        </Trans>
      ) : (
        <Trans>
          The old key is no longer used. Its last request was <When at={lastUsedAt} />.
        </Trans>
      )}
      {mayChange && !isInUse && (
        <>
          {' '}
          <Trans>You can delete it.</Trans>
        </>
      )}
    </Text>
  );
}
