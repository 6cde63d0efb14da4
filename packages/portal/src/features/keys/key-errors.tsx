import { Group, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../../api/queries.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { moment, number } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { When } from '../../kit/when.tsx';
import type { KeyHealth } from './key-parts.tsx';
import { useOperationWords } from './operation-words.tsx';
import shared from '../../kit/shared.module.css';
import styles from './key-errors.module.css';

/** Says in words, and in the language of the page, what an answer with a status means to who looks after a key. */
export function useErrorWords(): (status: number) => string {
  const { t } = useLingui();
  const words: Readonly<Record<number, string>> = {
    400: t`The request was not understood`,
    403: t`It asked for a company that the key does not see`,
    404: t`It asked for something that is not there, or that the key does not see`,
    409: t`The request does not fit what is there by now`,
    413: t`The request was too large`,
    415: t`The request was of a kind that is not taken`,
    422: t`The request was understood, and cannot be done`,
    429: t`There were too many requests: the quota was used up`,
  };
  return status => words[status] ?? (status >= 500 ? t`The service failed` : t`The request was refused`);
}

/** The last errors of a key in groups of equal ones, with what an operator needs to find them. */
export function Errors({ id }: { id: string }) {
  const { t } = useLingui();
  const { data } = useQuery(healthQuery(id));
  if (!data || data.errors.length === 0) return null;
  return (
    <Section title={t`Last errors`}>
      <Text size="sm" c="dimmed" mb="md">
        <Trans>Of 30 days, equal ones together. Values of a request are not stored.</Trans>
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
        {count > requestIds.length ? <Trans>The latest requests</Trans> : <Trans>Requests</Trans>}
      </Text>
      <ul>
        {requestIds.map(id => (
          <li key={id}>
            <span className={shared.mono}>{id}</span> <CopyButton text={id} label={t`Copy the request id`} />
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
