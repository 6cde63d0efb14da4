import { Box, Skeleton, Text, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useAnswer } from '../api/answer.ts';
import { keyQuery, tenantsQuery } from '../api/queries.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { moment, number } from '../parts/dates.ts';
import { Failure } from '../parts/failure.tsx';
import { TextLink } from '../parts/link-button.tsx';
import { Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';
import { KeyActions } from './key-actions.tsx';
import { Errors } from './key-errors.tsx';
import { Health } from './key-health.tsx';
import { type Key, Maker, ScopeChips, Status, textOf } from './key-parts.tsx';
import { ReplacementState } from './replacement-state.tsx';
import { Usage } from './usage.tsx';

/** A key with its use and what can be done with it. */
export function KeyPage() {
  const { t } = useLingui();
  const { id } = useParams({ from: '/shell/settings/api-keys/$id' });
  const { data: key, error, refetch } = useAnswer(keyQuery(id));
  return (
    <Page
      title={key?.name ?? t`API key`}
      lead={key && <Status status={key.status} />}
      above={
        <TextLink to="/settings/api-keys" size="sm">
          <Trans>API keys</Trans>
        </TextLink>
      }
      actions={key && <KeyActions shown={key} />}
    >
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!key && !error && <Skeleton height={220} radius="lg" />}
      {key && <ReplacementState shown={key} />}
      {key && <Health shown={key} />}
      {key && <Usage id={id} />}
      {key && <Errors id={id} />}
      {key && <Facts shown={key} />}
    </Page>
  );
}

function Facts({ shown }: { shown: Key }) {
  const { t } = useLingui();
  const { data: tenants } = useQuery(tenantsQuery);
  const { id, quota, createdAt, expiresAt, lastUsedAt, grants, createdBy } = shown;
  return (
    <Box className="surface" p={{ base: 'md', xs: 'lg' }}>
      <Title order={2} mb="md">
        <Trans>About this key</Trans>
      </Title>
      <dl className="facts">
        <dt>
          <Trans>Key</Trans>
        </dt>
        <dd>
          <span className="mono">{textOf(shown)}</span>{' '}
          <CopyButton text={id} label={t`Copy the id of the key`} />
        </dd>
        <dt>
          <Trans>Sees</Trans>
        </dt>
        <dd>
          <ScopeChips scope={shown} all />
        </dd>
        <dt>
          <Trans>Quota</Trans>
        </dt>
        <dd>{quota ? <QuotaWords {...quota} /> : <Trans>As all keys of this installation</Trans>}</dd>
        <dt>
          <Trans>Created</Trans>
        </dt>
        <dd>
          {moment(createdAt)}
          {createdBy !== null && (
            <>
              {', '}
              <Trans>
                made by: <Maker name={createdBy} />
              </Trans>
            </>
          )}
        </dd>
        <dt>
          <Trans>Ends</Trans>
        </dt>
        <dd>
          {expiresAt ? (
            <>
              {moment(expiresAt)} (<When at={expiresAt} />)
            </>
          ) : (
            <Trans>Never</Trans>
          )}
        </dd>
        <dt>
          <Trans>Last used</Trans>
        </dt>
        <dd>{lastUsedAt ? <When at={lastUsedAt} /> : <Trans>Never</Trans>}</dd>
        {grants.length > 0 && (
          <>
            <dt>
              <Trans>Technical ids</Trans>
            </dt>
            <dd>
              {grants.map(({ tenant }) => {
                const name = tenants?.items.find(({ id }) => id === tenant)?.name ?? '';
                return (
                  <Text key={tenant} size="sm" component="div">
                    {name} <span className="mono">{tenant}</span>{' '}
                    <CopyButton text={tenant} label={t`Copy the id of ${name}`} />
                  </Text>
                );
              })}
            </dd>
          </>
        )}
      </dl>
    </Box>
  );
}

function QuotaWords({ requests, seconds }: { requests: number; seconds: number }) {
  const count = number(requests);
  const time = number(seconds);
  return (
    <Trans>
      {count} requests in {time} seconds
    </Trans>
  );
}
