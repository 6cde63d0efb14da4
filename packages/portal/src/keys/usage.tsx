import { Box, Group, Select, Skeleton, Text, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAnswer } from '../api/answer.ts';
import { usageQuery } from '../api/queries.ts';
import { day, dayLength, number } from '../parts/dates.ts';
import { Failure } from '../parts/failure.tsx';
import { type Day, sumOf, type Use } from './days.ts';
import { useOperationWords } from './operation-words.tsx';
import { OperationTable, UsageTable } from './usage-tables.tsx';

/** The requests of the last thirty days, of all operations or of one: as bars, and as a table for who wants numbers. */
export function Usage({ id }: { id: string }) {
  const { data, error } = useAnswer(usageQuery(id));
  const [operation, setOperation] = useState<string | null>(null);
  const days = data && (data.operations.find(use => use.operation === operation)?.days ?? data.days);
  return (
    <Box className="surface" p={{ base: 'md', xs: 'lg' }}>
      <Group justify="space-between" align="flex-start" mb="sm">
        <Title order={2}>
          <Trans>Use in 30 days</Trans>
        </Title>
        {data && data.operations.length > 1 && (
          <Choice operations={data.operations} chosen={operation} choose={setOperation} />
        )}
      </Group>
      {error && <Failure error={error} />}
      {!data && !error && <Skeleton height={150} />}
      {days && <Totals days={days} />}
      {days && days.length > 0 && <Chart days={days} />}
      {days && days.length > 0 && <UsageTable days={days} />}
      {data && data.operations.length > 0 && (
        <OperationTable operations={data.operations} choose={setOperation} />
      )}
    </Box>
  );
}

function Choice({
  operations,
  chosen,
  choose,
}: {
  operations: Use['operations'];
  chosen: string | null;
  choose: (operation: string | null) => void;
}) {
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
  const requests = number(sumOf(days, 'requests'));
  const rejected = number(sumOf(days, 'rejected') + sumOf(days, 'limited'));
  const failed = number(sumOf(days, 'failed'));
  if (days.length === 0)
    return (
      <Text c="dimmed">
        <Trans>
          Nobody has used this key in these days. Put it into the system that it is for, or deactivate it.
        </Trans>
      </Text>
    );
  return (
    <Group gap="lg" mb="md">
      <Text size="sm" className="legend" style={{ '--swatch': 'var(--mantine-color-petrol-5)' }}>
        <Trans>{requests} requests</Trans>
      </Text>
      <Text size="sm" className="legend" style={{ '--swatch': '#d98c14' }}>
        <Trans>{rejected} of them refused</Trans>
      </Text>
      <Text size="sm" className="legend" style={{ '--swatch': '#d1453b' }}>
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

/** Only for who sees: the table below has the same. */
function Chart({ days }: { days: readonly Day[] }) {
  const shown = lastDays(days);
  const highest = Math.max(1, ...shown.map(({ requests }) => requests));
  const part = (count: number) => ({ height: `${(count / highest) * 120}px` });
  return (
    <div aria-hidden="true">
      <div className="bars">
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
