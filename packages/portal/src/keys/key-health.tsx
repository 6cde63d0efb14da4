import { Box, Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAnswer } from '../api/answer.ts';
import { healthQuery } from '../api/queries.ts';
import { Dialog } from '../parts/dialog.tsx';
import { duration, moment } from '../parts/dates.ts';
import { Failure } from '../parts/failure.tsx';
import { When } from '../parts/when.tsx';
import { useErrorWords } from './key-errors.tsx';
import { type Key, type KeyHealth, Life } from './key-parts.tsx';
import { useOperationWords } from './operation-words.tsx';
import { ExpectedIntervalChoice } from './expected-interval.tsx';

/** Whether the system that uses the key lives: when it was heard of and should be, how far it has read, and what went wrong last. */
export function Health({ shown }: { shown: Key }) {
  const { data, error } = useAnswer(healthQuery(shown.id));
  return (
    <Box className="surface" p={{ base: 'md', xs: 'lg' }}>
      <Group justify="space-between" mb="md">
        <Title order={2}>
          <Trans>Health of the integration</Trans>
        </Title>
        <Life shown={shown} />
      </Group>
      {error && <Failure error={error} />}
      {!data && !error && <Skeleton height={120} />}
      {data && (
        <dl className="facts">
          <Successes health={data} />
          <ExpectedInterval shown={shown} health={data} />
          <Polls health={data} />
          <LastError health={data} />
        </dl>
      )}
    </Box>
  );
}

function Successes({ health: { lastSuccessAt, lastUsedAt } }: { health: KeyHealth }) {
  return (
    <>
      <dt>
        <Trans>Last success</Trans>
      </dt>
      <dd>
        {lastSuccessAt ? (
          <>
            <When at={lastSuccessAt} /> ({moment(lastSuccessAt)})
          </>
        ) : lastUsedAt ? (
          <Trans>None is known: what was asked for has failed, or was long ago</Trans>
        ) : (
          <Trans>Never used</Trans>
        )}
      </dd>
    </>
  );
}

function ExpectedInterval({ shown, health }: { shown: Key; health: KeyHealth }) {
  const { t } = useLingui();
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <dt>
        <Trans>Rhythm</Trans>
      </dt>
      <dd>
        <div>
          <IntervalText health={health} />
        </div>
        {health.overdueFrom && health.noRecentActivitySince === null && (
          <Text size="sm" c="dimmed" component="div">
            <Trans>It counts as silent without a success until {moment(health.overdueFrom)}.</Trans>
          </Text>
        )}
        {shown.status !== 'deleted' && (
          <Button variant="default" size="xs" mt={6} onClick={() => setOpened(true)}>
            <Trans>Change the rhythm</Trans>
          </Button>
        )}
        <Dialog opened={opened} close={close} title={t`How long may it pause?`}>
          {opened && <ExpectedIntervalChoice id={shown.id} health={health} close={close} />}
        </Dialog>
      </dd>
    </>
  );
}

function IntervalText({ health }: { health: KeyHealth }) {
  const { expectedIntervalSeconds, computedIntervalSeconds } = health;
  if (expectedIntervalSeconds !== null) {
    const pause = duration(expectedIntervalSeconds);
    return <Trans>Set: a success at least every {pause}</Trans>;
  }
  if (computedIntervalSeconds === null)
    return <Trans>Not known yet. It is learned from two weeks of use; set it if you know it already.</Trans>;
  const pause = duration(computedIntervalSeconds);
  return <Trans>Learned from four weeks: a success at least every {pause}</Trans>;
}

function Polls({ health: { polls } }: { health: KeyHealth }) {
  const wordsFor = useOperationWords();
  return (
    <>
      <dt>
        <Trans>Has read up to</Trans>
      </dt>
      <dd>
        {polls.length === 0 && (
          <Text c="dimmed" component="span">
            <Trans>It does not ask for changes, as far as is known</Trans>
          </Text>
        )}
        {polls.map(({ operation, readTo, lagSeconds }) => (
          <div key={operation}>
            {wordsFor(operation)}: {moment(readTo)} <Lag seconds={lagSeconds} />
          </div>
        ))}
      </dd>
    </>
  );
}

function Lag({ seconds }: { seconds: number }) {
  const time = duration(seconds);
  return (
    <Text component="span" c="dimmed">
      {seconds === 0 ? <Trans>(everything)</Trans> : <Trans>({time} behind the last change)</Trans>}
    </Text>
  );
}

function LastError({ health: { errors } }: { health: KeyHealth }) {
  const wordsFor = useErrorWords();
  const operationWords = useOperationWords();
  const [last] = errors;
  return (
    <>
      <dt>
        <Trans>Last error</Trans>
      </dt>
      <dd>
        {last ? (
          <>
            <When at={last.at} />, {operationWords(last.operation)}: {wordsFor(last.status)}
          </>
        ) : (
          <Trans>None in 30 days</Trans>
        )}
      </dd>
    </>
  );
}
