import { Group, Select, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { usageQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { day, dayLength, number } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { countsOf, type Day, sumOf, type Use } from './days.ts';
import { useOperationWords } from './operation-words.tsx';
import { OperationTable, UsageTable } from './usage-tables.tsx';
import styles from './usage.module.css';

/** The requests of the last thirty days, of all operations or of one: as bars and as a table. */
export function Usage({ id }: { id: string }) {
  const { t } = useLingui();
  const answer = useAnswer(usageQuery(id));
  const [operation, setOperation] = useState<string | null>(null);
  const operations = answer.data?.operations ?? [];
  return (
    <Section
      title={t`Requests in 30 days`}
      aside={
        operations.length > 1 && <Choice operations={operations} chosen={operation} choose={setOperation} />
      }
    >
      <Answered answer={answer} height={150}>
        {({ days }) => <Days days={operations.find(use => use.operation === operation)?.days ?? days} />}
      </Answered>
      {operations.length > 0 && <OperationTable operations={operations} choose={setOperation} />}
    </Section>
  );
}

function Days({ days }: { days: readonly Day[] }) {
  if (days.length === 0)
    return (
      <Text c="dimmed">
        <Trans>
          This key was not used in the last 30 days.{' '}
          <TextLink to="." search={previous => ({ ...previous, tab: 'connect' })} underline="always">
            Connect its system
          </TextLink>
          , or deactivate the key.
        </Trans>
      </Text>
    );
  return (
    <>
      <Totals days={days} />
      <Chart days={days} />
      <UsageTable days={days} />
    </>
  );
}

interface ChoiceProps {
  readonly operations: Use['operations'];
  readonly chosen: string | null;
  readonly choose: (operation: string | null) => void;
}

function Choice({ operations, chosen, choose }: ChoiceProps) {
  const { t } = useLingui();
  const wordsFor = useOperationWords();
  return (
    <Select
      aria-label={t`Operation`}
      data={[
        { value: '', label: t`All operations` },
        ...operations.map(({ operation }) => ({ value: operation, label: wordsFor(operation) })),
      ]}
      value={chosen ?? ''}
      allowDeselect={false}
      onChange={value => choose(value || null)}
    />
  );
}

function Totals({ days }: { days: readonly Day[] }) {
  const { rejected, failed } = countsOf(days);
  const requests = sumOf(days, 'requests');
  return (
    <Group gap="lg" mb="md">
      <Text size="sm" className={styles.legend} data-kind="fine">
        <Plural value={requests} one="# request" other="# requests" />
      </Text>
      <Text size="sm" className={styles.legend} data-kind="rejected">
        <Trans>{rejected} of them rejected</Trans>
      </Text>
      <Text size="sm" className={styles.legend} data-kind="failed">
        <Trans>{failed} failed</Trans>
      </Text>
    </Group>
  );
}

/** The last thirty days in UTC, those without requests too. */
function lastDays(days: readonly Day[]): Day[] {
  const byDay = new Map(days.map(day => [day.day, day]));
  return Array.from({ length: 30 }, (_, index) => {
    const name = new Date(Date.now() - (29 - index) * dayLength).toISOString().slice(0, 10);
    return byDay.get(name) ?? { day: name, requests: 0, rejected: 0, limited: 0, failed: 0 };
  });
}

/** Hidden from screen readers: the table below has the same numbers. */
function Chart({ days }: { days: readonly Day[] }) {
  const shown = lastDays(days);
  const highest = Math.max(1, ...shown.map(({ requests }) => requests));
  const part = (count: number) => ({ height: `${(count / highest) * 120}px` });
  return (
    <div aria-hidden="true">
      <div className={styles.bars}>
        {shown.map(({ day: name, requests, rejected, limited, failed }) => (
          <div key={name} title={`${day(name)}: ${number(requests)}`}>
            <i data-kind="fine" style={part(Math.max(0, requests - rejected - limited - failed))} />
            <i data-kind="rejected" style={part(rejected + limited)} />
            <i data-kind="failed" style={part(failed)} />
          </div>
        ))}
      </div>
      <Group justify="space-between" mt={4}>
        <Text size="xs" c="dimmed">
          {day(shown[0]!.day)}
        </Text>
        <Text size="xs" c="dimmed">
          {day(shown.at(-1)!.day)}
        </Text>
      </Group>
    </div>
  );
}
