import { Group, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../api/ask.ts';
import { summaryQuery } from '../../api/queries.ts';
import type { Show } from '../../api/key-sets.ts';
import { day, daysFromNow } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { useCompany } from '../../kit/navigation/company.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { When } from '../../kit/when.tsx';
import shared from '../../kit/shared.module.css';
import styles from './home.module.css';

type Key = NonNullable<AnswerOf<'GET /tasks'>['keys']>[number];
type Outcome = Key['days'][number];

/** The keys by urgency, each with a strip of its last ninety days. */
export function KeysInUse({ keys }: { keys: readonly Key[] }) {
  const { t } = useLingui();
  const words = useOutcomeWords();
  return (
    <Section title={t`API keys in the last 90 days`} aside={<Counts />}>
      <div className={styles.legend}>
        {(['fine', 'some', 'failed', 'none'] as const).map(outcome => (
          <span key={outcome}>
            <i data-outcome={outcome} /> {words[outcome]}
          </span>
        ))}
      </div>
      <ul className={`${shared.list} ${shared.lines} ${styles.rows}`}>
        {keys.map(key => (
          <li key={key.id} data-wide>
            <div>
              <TextLink
                to="/settings/api-keys/$id"
                params={{ id: key.id }}
                search={{ tab: key.attention === 'failing' ? 'errors' : undefined }}
                fw={600}
              >
                {key.name}
              </TextLink>{' '}
              <span className={`${shared.hint} ${shared.mono}`}>…{key.lastFour}</span>
              {key.attention !== null && (
                <Text size="sm">
                  <Attention {...key} />
                </Text>
              )}
            </div>
            <Strip days={key.days} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function useOutcomeWords(): Record<Outcome, string> {
  const { t } = useLingui();
  return {
    none: t`no requests`,
    fine: t`all successful`,
    some: t`some not successful`,
    failed: t`most not successful`,
  };
}

/** The bars, and for everybody the same in words. */
function Strip({ days }: { days: Key['days'] }) {
  const count = (wanted: Outcome) => days.filter(outcome => outcome === wanted).length;
  const [used, some, failed] = [days.length - count('none'), count('some'), count('failed')];
  const last = days.findLastIndex(outcome => outcome === 'failed');
  const lastDay = daysFromNow(last + 1 - days.length).slice(0, 10);
  return (
    <div className={styles.use}>
      <div className={styles.strip} aria-hidden>
        {days.map((outcome, index) => (
          <i key={index} data-outcome={outcome} />
        ))}
      </div>
      <Text size="xs" c="dimmed">
        <Plural value={used} _0="No requests" one="Requests on # day" other="Requests on # days" />
        {some > 0 && (
          <>
            {' · '}
            <Plural value={some} one="some not successful on # day" other="some not successful on # days" />
          </>
        )}
        {failed > 0 && (
          <>
            {' · '}
            <Plural
              value={failed}
              one="most not successful on # day"
              other="most not successful on # days"
            />{' '}
            <Trans>(last: {day(lastDay)})</Trans>
          </>
        )}
      </Text>
    </div>
  );
}

/** Why a key needs attention, and the remedy. */
function Attention({ attention, lastSuccessAt, lastUsedAt, expiresAt }: Key) {
  if (attention === 'failing')
    return lastSuccessAt === null ? (
      <Trans>Failing, no successful request known. Check its last errors.</Trans>
    ) : (
      <Trans>
        Failing, last success <When at={lastSuccessAt} />. Check its last errors.
      </Trans>
    );
  if (attention === 'no_recent_activity')
    return lastSuccessAt === null ? (
      <Trans>No recent activity, no successful request known. Is its system still running?</Trans>
    ) : (
      <Trans>
        No recent activity, last success <When at={lastSuccessAt} />. Is its system still running?
      </Trans>
    );
  if (attention === 'expiring')
    return (
      <Trans>
        expires <When at={expiresAt!} />: replace it in time
      </Trans>
    );
  return lastUsedAt === null ? (
    <Trans>was never used: is it still needed?</Trans>
  ) : (
    <Trans>
      last used <When at={lastUsedAt} />: is it still needed?
    </Trans>
  );
}

/** Links to the sets of keys that need attention, and to all of them. */
function Counts() {
  const { data } = useQuery(summaryQuery(useCompany()));
  if (!data) return null;
  const { workingKeys, failing, noRecentActivity, expiring, unused } = data;
  const sets: [Show, number, React.ReactNode][] = [
    ['failing', failing, <Trans key="">{failing} failing</Trans>],
    [
      'no_recent_activity',
      noRecentActivity,
      <Trans key="">{noRecentActivity} without recent activity</Trans>,
    ],
    ['ending', expiring, <Plural key="" value={expiring} one="# expires soon" other="# expire soon" />],
    ['unused', unused, <Trans key="">{unused} unused</Trans>],
  ];
  return (
    <Group gap="md">
      {sets
        .filter(([, count]) => count > 0)
        .map(([show, , words]) => (
          <TextLink key={show} to="/settings/api-keys" search={{ show }} size="sm">
            {words}
          </TextLink>
        ))}
      <TextLink to="/settings/api-keys" size="sm">
        <Trans>Show all ({workingKeys})</Trans>
      </TextLink>
    </Group>
  );
}
