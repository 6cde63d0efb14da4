import { Button, Collapse, Group, Select, Text, Title } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { useDisclosure } from '@mantine/hooks';
import { useAnswer } from '../../api/answer.ts';
import type { AnswerOf } from '../../api/ask.ts';
import { usageQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { day, dayLength, number } from '../../kit/dates.ts';
import { useMayChange } from '../../kit/form/may-change.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import type { Key } from './key-parts.tsx';
import { useOperationWords } from './operation-words.tsx';
import styles from './keys.module.css';
import table from '../../kit/list/table.module.css';

/** The requests of the last thirty days, of all operations or of one: as bars and as a table. */
export function Usage({ shown: { id, status } }: { shown: Key }) {
  const { t } = useLingui();
  const mayChange = useMayChange();
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
        {({ days }) => (
          <Days
            days={operations.find(use => use.operation === operation)?.days ?? days}
            canDeactivate={mayChange && status === 'active'}
          />
        )}
      </Answered>
      {operations.length > 0 && <OperationTable operations={operations} choose={setOperation} />}
    </Section>
  );
}

function Days({ days, canDeactivate }: { days: readonly Day[]; canDeactivate: boolean }) {
  if (days.length === 0)
    return (
      <Text c="dimmed">
        <Trans>This key was not used in the last 30 days.</Trans>{' '}
        {canDeactivate && <Trans>If no system needs it any more, deactivate it.</Trans>}
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
  const denied = sumOf(days, 'denied');
  const outside = number(denied);
  return (
    <Group gap="lg" mb="md">
      <Text size="sm" className={styles.legend} data-kind="fine">
        <Plural value={requests} one="# request" other="# requests" />
      </Text>
      <Text size="sm" className={styles.legend} data-kind="rejected">
        <Trans>{rejected} of them rejected</Trans>
        {denied > 0 && (
          <>
            {', '}
            <Trans>{outside} outside of what the key is for</Trans>
          </>
        )}
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
    return byDay.get(name) ?? { day: name, requests: 0, rejected: 0, denied: 0, limited: 0, failed: 0 };
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
        {shown.map(({ day: name, requests, rejected, denied, limited, failed }) => (
          <div key={name} title={`${day(name)}: ${number(requests)}`}>
            <i data-kind="fine" style={part(Math.max(0, requests - rejected - denied - limited - failed))} />
            <i data-kind="rejected" style={part(rejected + denied + limited)} />
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

/** How a key is used. */
export type Use = AnswerOf<'GET /api-keys/{id}/usage'>;
export type Day = Use['days'][number];

/** How many of these days together. */
function sumOf(days: readonly Day[], of: keyof Omit<Day, 'day'>): number {
  return days.reduce((total, day) => total + day[of], 0);
}

/** The sums of these days, formatted. */
function countsOf(days: readonly Day[]) {
  return {
    requests: number(sumOf(days, 'requests')),
    rejected: number(sumOf(days, 'rejected') + sumOf(days, 'denied') + sumOf(days, 'limited')),
    failed: number(sumOf(days, 'failed')),
  };
}

/** Requests of today, in UTC as all days of the service. */
export function requestsToday(days: readonly Day[]): number {
  const today = new Date().toISOString().slice(0, 10);
  return days.find(({ day }) => day === today)?.requests ?? 0;
}

/** The days of a chart in numbers, which are read aloud and shown when they are asked for. */
function UsageTable({ days }: { days: readonly Day[] }) {
  const { t } = useLingui();
  const [opened, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        mt="xs"
        px={6}
        aria-expanded={opened}
        aria-controls={id}
        onClick={toggle}
      >
        {opened ? <Trans>Hide numbers</Trans> : <Trans>Show numbers by day</Trans>}
      </Button>
      <Collapse expanded={opened} id={id}>
        <table className={`${table.table} ${styles.counts}`}>
          <caption>{t`Requests by day`}</caption>
          <Heads first={t`Day`} />
          <tbody>
            {days.toReversed().map(use => (
              <Counts key={use.day} name={day(use.day)} days={[use]} />
            ))}
          </tbody>
        </table>
      </Collapse>
    </>
  );
}

interface OperationTableProps {
  readonly operations: Use['operations'];
  readonly choose: (operation: string) => void;
}

/** Requests per operation, the most frequent first. */
function OperationTable({ operations, choose }: OperationTableProps) {
  const { t } = useLingui();
  const wordsFor = useOperationWords();
  const sorted = operations.toSorted((a, b) => sumOf(b.days, 'requests') - sumOf(a.days, 'requests'));
  return (
    <>
      <Title order={3} fz="md" mt="lg" mb={4}>
        <Trans>By operation</Trans>
      </Title>
      <table className={`${table.table} ${styles.counts}`}>
        <Heads first={t`Operation`} />
        <tbody>
          {sorted.map(({ operation, days }) => (
            <Counts
              key={operation}
              name={wordsFor(operation)}
              days={days}
              choose={operations.length > 1 ? () => choose(operation) : undefined}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

function Heads({ first }: { first: string }) {
  const { t } = useLingui();
  return (
    <thead>
      <tr>
        <th>{first}</th>
        {[t`Requests`, t`Rejected`, t`Failed`].map(name => (
          <th key={name} className={styles.count}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface CountsProps {
  readonly name: string;
  readonly days: readonly Day[];
  readonly choose?: (() => void) | undefined;
}

function Counts({ name, days, choose }: CountsProps) {
  const { requests, rejected, failed } = countsOf(days);
  return (
    <tr>
      <th scope="row">
        {choose ? (
          <Button variant="transparent" size="compact-sm" px={0} ta="left" onClick={choose}>
            {name}
          </Button>
        ) : (
          name
        )}
      </th>
      {[requests, rejected, failed].map((count, column) => (
        <td key={column} className={styles.count}>
          {count}
        </td>
      ))}
    </tr>
  );
}
