import { Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useAnswer } from '../../api/answer.ts';
import { historyQuery, keyQuery } from '../../api/queries.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { moment, number } from '../../kit/dates.ts';
import { DetailPage, Section } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts } from '../../kit/detail/facts.tsx';
import { Summary } from '../../kit/detail/summary.tsx';
import { Tabs } from '../../kit/detail/tabs.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { When, WhenOrNever } from '../../kit/when.tsx';
import { Connect } from './connect.tsx';
import { KeyActions, ReplaceButton } from './key-actions.tsx';
import { Errors } from './key-errors.tsx';
import { Health } from './key-health.tsx';
import { History, latestOf } from './key-history.tsx';
import { FailingNotice, InactiveNotice, ReplacementState } from './key-notices.tsx';
import { HealthState, type Key, Maker, textOf } from './key-parts.tsx';
import { PurposeWords } from './key-purpose.tsx';
import { KeyScope } from './key-scope.tsx';
import { Usage } from './usage.tsx';
import shared from '../../kit/shared.module.css';

/** A key with its use and what can be done with it. */
export function KeyPage() {
  const { t } = useLingui();
  const { id } = useParams({ from: '/shell/settings/api-keys/$id' });
  const { tab = 'overview' } = useSearch({ from: '/shell/settings/api-keys/$id' });
  const answer = useAnswer(keyQuery(id));
  const { data: history } = useQuery(historyQuery(id));
  const key = answer.data;
  return (
    <DetailPage
      answer={answer}
      kind={t`API key`}
      back={{ to: '/settings/api-keys', name: t`API keys` }}
      lead={
        key && (
          <>
            <HealthState shown={key} />
            <div className={`${shared.hint} ${shared.mono}`}>{textOf(key)}</div>
          </>
        )
      }
      actions={key && <KeyActions shown={key} />}
      latestChange={latestOf(history)}
    >
      {key => (
        <>
          <InactiveNotice shown={key} />
          <FailingNotice shown={key} />
          <ReplacementState shown={key} />
          <Tabs
            label={t`Parts of this page`}
            shown={tab}
            tabs={[
              { id: 'overview', name: <Trans>Overview</Trans> },
              { id: 'connect', name: <Trans>Connect</Trans> },
              { id: 'errors', name: <Trans>Errors</Trans> },
              { id: 'access', name: <Trans>Access</Trans> },
              { id: 'history', name: <Trans>History</Trans> },
            ]}
          />
          {tab === 'overview' && <Overview shown={key} />}
          {tab === 'connect' && <Connect shown={key} />}
          {tab === 'errors' && <Errors id={id} />}
          {tab === 'access' && <KeyScope shown={key} />}
          {tab === 'history' && <History id={id} />}
        </>
      )}
    </DetailPage>
  );
}

function Overview({ shown }: { shown: Key }) {
  const { t } = useLingui();
  const { lastUsedAt, requests, rejections, expiresAt } = shown;
  if (shown.health === 'never_used')
    return (
      <>
        <NotConnected />
        <Health shown={shown} />
        <About shown={shown} />
      </>
    );
  return (
    <>
      <Summary
        facts={[
          { name: t`Last used`, value: <WhenOrNever at={lastUsedAt} /> },
          { name: t`Requests (30 days)`, value: number(requests) },
          { name: t`Without success (30 days)`, value: number(rejections) },
          { name: t`Expires`, value: <WhenOrNever at={expiresAt} /> },
        ]}
      />
      <Health shown={shown} />
      <Usage shown={shown} />
      <About shown={shown} />
    </>
  );
}

/** Instead of numbers, which are all zero. */
function NotConnected() {
  const { t } = useLingui();
  const mayChange = useMayChange();
  if (!mayChange)
    return (
      <Section title={t`No system uses this key yet`}>
        <Trans>Its first request appears here.</Trans>
      </Section>
    );
  return (
    <Section title={t`No system uses this key yet`}>
      <Trans>
        <TextLink to="." search={before => ({ ...before, tab: 'connect' })} underline="always">
          Connect its system
        </TextLink>
        . Its first request appears here.
      </Trans>
    </Section>
  );
}

function About({ shown }: { shown: Key }) {
  const { t } = useLingui();
  const { id, name, permissions, quota, createdAt, expiresAt, createdBy } = shown;
  return (
    <Section title={t`About this key`}>
      <Facts>
        <Fact name={t`Name`}>
          {name}
          <Text size="sm" c="dimmed" component="div">
            <Trans>The name of a key cannot be changed. A key that replaces it can have another name.</Trans>
          </Text>
          <ReplaceButton shown={shown} label={<Trans>Replace under another name</Trans>} size="xs" mt={6} />
        </Fact>
        <Fact name={t`Key`}>
          <span className={shared.mono}>{textOf(shown)}</span> <CopyButton text={id} label={t`Copy key ID`} />
        </Fact>
        <Fact name={t`What it is for`}>
          <PurposeWords permissions={permissions} />
        </Fact>
        <Fact name={t`Quota`}>
          {quota ? <QuotaWords {...quota} /> : <Trans>Default quota of this installation</Trans>}
        </Fact>
        <Fact name={t`Created`}>
          {moment(createdAt)}
          {createdBy !== null && (
            <>
              {', '}
              <Trans>
                created by <Maker name={createdBy} />
              </Trans>
            </>
          )}
        </Fact>
        <Fact name={t`Expires`}>
          {expiresAt ? (
            <>
              {moment(expiresAt)} (<When at={expiresAt} />)
            </>
          ) : (
            <Trans>Never</Trans>
          )}
        </Fact>
      </Facts>
    </Section>
  );
}

function QuotaWords({ requests, seconds }: { requests: number; seconds: number }) {
  return (
    <Trans>
      <Plural value={requests} one="# request" other="# requests" /> in{' '}
      <Plural value={seconds} one="# second" other="# seconds" />
    </Trans>
  );
}
