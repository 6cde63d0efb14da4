import { Group, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../../api/queries.ts';
import { useMayChange } from '../../kit/form/may-change.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { moment, number } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { When } from '../../kit/when.tsx';
import type { KeyHealth } from './key-parts.tsx';
import { useOperationWords } from './operation-words.tsx';
import shared from '../../kit/shared.module.css';
import styles from './keys.module.css';

/** Says in words, and in the language of the page, what an answer with a status means to who looks after a key. */
export function useErrorWords(): (status: number) => string {
  const { t } = useLingui();
  const words: Readonly<Record<number, string>> = {
    400: t`The request was invalid`,
    401: t`The key is not for this request`,
    403: t`The key has no access to the requested company`,
    404: t`The requested item does not exist, or the key has no access to it`,
    409: t`The request conflicts with the current state`,
    413: t`The request was too large`,
    415: t`The content type of the request is not supported`,
    422: t`The request was valid, but cannot be processed`,
    429: t`Too many requests: the quota was exceeded`,
  };
  return status =>
    words[status] ?? (status >= 500 ? t`An internal error occurred` : t`The request was rejected`);
}

/** Advice against an error, for users who can follow it. Only some errors are about the key. */
export function Cure({ status, code }: { status: number; code: string }) {
  if (!useMayChange()) return null;
  if (status === 401) return <Trans>Create a key for this system that also allows such requests.</Trans>;
  if (code === 'TENANT_NOT_IN_SCOPE')
    return (
      <Trans>
        Correct the company ID that the system sends, or create a key with access to that company.
      </Trans>
    );
  if (status === 404)
    return <Trans>Check the ID that the system sends, and whether the key has access to the item.</Trans>;
  if (status === 409)
    return <Trans>The system should read the item again, then decide whether to repeat the request.</Trans>;
  if (status === 429)
    return <Trans>The system should send fewer requests, or needs a key with a larger quota.</Trans>;
  if (status >= 500)
    return <Trans>Kontor could not answer. Give the request IDs to its operator if this goes on.</Trans>;
  return <Trans>Correct the requests of the system. A new key does not help.</Trans>;
}

/** The last errors of a key in groups of equal ones, with what an operator needs to find them. */
export function Errors({ id }: { id: string }) {
  const { t } = useLingui();
  const { data } = useQuery(healthQuery(id));
  if (!data) return null;
  if (data.errors.length === 0)
    return (
      <Section title={t`Last errors`}>
        <Text c="dimmed">
          <Trans>None in 30 days</Trans>
        </Text>
      </Section>
    );
  return (
    <Section title={t`Last errors`}>
      <Text size="sm" c="dimmed" mb="md">
        <Trans>
          Errors that occurred in the last 30 days. Equal ones are a group, counted from its first error.
          Values of requests are not stored.
        </Trans>
      </Text>
      <ul className={styles.errors}>
        {data.errors.map(group => (
          <li key={`${group.operation} ${group.code} ${group.firstAt}`}>
            <ErrorGroup group={group} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ErrorGroup({ group }: { group: KeyHealth['errors'][number] }) {
  const { t } = useLingui();
  const wordsFor = useErrorWords();
  const operationWords = useOperationWords();
  const { operation, status, code, message, count, requestIds } = group;
  return (
    <details>
      <summary>
        <Group justify="space-between" gap="xs" align="baseline">
          <Text fw={600} component="span">
            {number(count)} × {wordsFor(status)}
          </Text>
          <Text size="sm" c="dimmed" component="span">
            <Times {...group} />
          </Text>
        </Group>
        <Text size="sm" component="div">
          {operationWords(operation)} · <span className={shared.mono}>{`${status} ${code}`}</span>
        </Text>
        <Text size="sm" component="div" lang="en" className={styles.message}>
          {message}
        </Text>
      </summary>
      <Text size="sm" component="div" mt="xs">
        <Cure {...group} />
      </Text>
      <Text size="sm" component="div" mt="xs">
        {count > requestIds.length ? <Trans>Latest requests</Trans> : <Trans>Requests</Trans>}
      </Text>
      <ul>
        {requestIds.map(id => (
          <li key={id}>
            <span className={shared.mono}>{id}</span> <CopyButton text={id} label={t`Copy request ID`} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Times({
  count,
  firstAt,
  lastAt,
}: Pick<KeyHealth['errors'][number], 'count' | 'firstAt' | 'lastAt'>) {
  if (count === 1) return <When at={lastAt} />;
  return (
    <Trans>
      first {moment(firstAt)}, last <When at={lastAt} />
    </Trans>
  );
}
