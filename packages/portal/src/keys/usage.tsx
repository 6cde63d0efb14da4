import { Box, Group, Skeleton, Table, Text, Title, VisuallyHidden } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../api/ask.ts';
import { usageQuery } from '../api/queries.ts';
import { day, dayLength, number } from '../parts/dates.ts';
import { Failure } from '../parts/failure.tsx';

type Day = AnswerOf<'GET /api-keys/{id}/usage'>['days'][number];

/** The requests of the last thirty days: as bars for who sees them, as a table for who listens. */
export function Usage({ id }: { id: string }) {
  const { data, error } = useQuery(usageQuery(id));
  return (
    <Box className="surface" p={{ base: 'md', xs: 'lg' }}>
      <Title order={2} mb="xs">
        <Trans>Use in 30 days</Trans>
      </Title>
      {error && <Failure error={error} />}
      {!data && !error && <Skeleton height={150} />}
      {data && <Totals days={data.days} />}
      {data && data.requests > 0 && <Chart days={data.days} />}
    </Box>
  );
}

const sum = (days: readonly Day[], of: keyof Omit<Day, 'day'>) =>
  days.reduce((total, day) => total + day[of], 0);

function Totals({ days }: { days: readonly Day[] }) {
  const requests = number(sum(days, 'requests'));
  const refused = number(sum(days, 'refused') + sum(days, 'limited'));
  const failed = number(sum(days, 'failed'));
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
        <Trans>{refused} of them refused</Trans>
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
    return byDay.get(name) ?? { day: name, requests: 0, refused: 0, limited: 0, failed: 0 };
  });
}

function Chart({ days }: { days: readonly Day[] }) {
  const { t } = useLingui();
  const shown = lastDays(days);
  const highest = Math.max(...shown.map(({ requests }) => requests));
  const part = (count: number) => ({ height: `${(count / highest) * 120}px` });
  return (
    <>
      <div className="bars" aria-hidden="true">
        {shown.map(({ day: name, requests, refused, limited, failed }) => (
          <div key={name} title={`${day(name)}: ${number(requests)}`}>
            <i data-kind="fine" style={part(requests - refused - limited - failed)} />
            <i data-kind="refused" style={part(refused + limited)} />
            <i data-kind="failed" style={part(failed)} />
          </div>
        ))}
      </div>
      <Group justify="space-between" aria-hidden="true" mt={4}>
        <Text size="xs" c="dimmed">
          {day(shown[0]!.day)}
        </Text>
        <Text size="xs" c="dimmed">
          {day(shown.at(-1)!.day)}
        </Text>
      </Group>
      <VisuallyHidden>
        <Table>
          <caption>{t`Requests by day`}</caption>
          <thead>
            <tr>
              {[t`Day`, t`Requests`, t`Refused`, t`Failed`].map(name => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day: name, requests, refused, limited, failed }) => (
              <tr key={name}>
                <td>{day(name)}</td>
                <td>{requests}</td>
                <td>{refused + limited}</td>
                <td>{failed}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </VisuallyHidden>
    </>
  );
}
