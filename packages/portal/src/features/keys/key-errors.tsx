import { Group, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../../api/queries.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { moment } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import type { KeyHealth } from './key-parts.tsx';
import { useOperationWords } from './operation-words.tsx';

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

/** The last errors of a key, newest first, with what an operator needs to find them. */
export function Errors({ id }: { id: string }) {
  const { t } = useLingui();
  const { data } = useQuery(healthQuery(id));
  if (!data || data.errors.length === 0) return null;
  return (
    <Section title={t`Last errors`}>
      <Text size="sm" c="dimmed" mb="md">
        <Trans>The last twenty of 30 days. What came with a request is not kept.</Trans>
      </Text>
      <ul className="errors">
        {data.errors.map(error => (
          <OneError key={`${error.at} ${error.requestId}`} error={error} />
        ))}
      </ul>
    </Section>
  );
}

function OneError({ error }: { error: KeyHealth['errors'][number] }) {
  const { t } = useLingui();
  const wordsFor = useErrorWords();
  const operationWords = useOperationWords();
  const { at, operation, status, code, message, requestId } = error;
  return (
    <li>
      <Group justify="space-between" gap="xs" align="baseline">
        <Text fw={600} component="span">
          {wordsFor(status)}
        </Text>
        <Text size="sm" c="dimmed" component="time" dateTime={at}>
          {moment(at)}
        </Text>
      </Group>
      <Text size="sm" component="div">
        {operationWords(operation)} · <span className="mono">{`${status} ${code}`}</span>
      </Text>
      <Text size="sm" component="div" lang="en" style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        <Trans>Request</Trans> <span className="mono">{requestId}</span>{' '}
        <CopyButton text={requestId} label={t`Copy the request id`} />
      </Text>
    </li>
  );
}
