import { Box, Text } from '@mantine/core';
import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { historyQuery } from '../../api/queries.ts';
import { moment } from '../../kit/dates.ts';
import shared from '../../kit/shared.module.css';
import { When } from '../../kit/when.tsx';
import { Actor } from '../../kit/detail/timeline.tsx';
import type { KeyChange, KeyHistory } from './key-history.tsx';
import type { Key } from './key-parts.tsx';

const reasons = { inactive: 'deactivated', expired: 'expired', deleted: 'deleted' } as const;

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
