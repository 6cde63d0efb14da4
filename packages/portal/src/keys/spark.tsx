import { Text } from '@mantine/core';
import { Trans } from '@lingui/react/macro';
import { number } from '../parts/dates.ts';
import type { Key } from './key-parts.tsx';

const width = 3;
const height = 24;

/** The use of thirty days in one cell: a bar for each day for who sees it, the numbers for everybody. */
export function Spark({ shown }: { shown: Key }) {
  const { requestsByDay, refusalsByDay } = shown;
  const highest = Math.max(1, ...requestsByDay);
  // A day with a single request among thousands is still one with requests.
  const part = (count: number) => (count === 0 ? 0 : Math.max(2, (count / highest) * height));
  const requests = number(shown.requests);
  const refusals = number(shown.refusals);
  if (shown.requests === 0)
    return (
      <Text size="sm" c="dimmed">
        <Trans>None</Trans>
      </Text>
    );
  return (
    <div className="spark">
      <svg
        width={requestsByDay.length * (width + 1)}
        height={height}
        aria-hidden="true"
        focusable="false"
        className="spark-bars"
      >
        {requestsByDay.map((count, day) => {
          const whole = part(count);
          const refused = Math.min(whole, part(refusalsByDay[day]!));
          const x = day * (width + 1);
          return (
            // A day has its place.
            // oxlint-disable-next-line react/no-array-index-key
            <g key={day}>
              <rect x={x} y={height - 1} width={width} height={1} data-kind="none" />
              <rect x={x} y={height - whole} width={width} height={whole} data-kind="fine" />
              <rect x={x} y={height - refused} width={width} height={refused} data-kind="refused" />
            </g>
          );
        })}
      </svg>
      <Text size="xs" c="dimmed">
        {shown.refusals === 0 ? (
          <Trans>{requests} requests</Trans>
        ) : (
          <Trans>
            {requests} requests, {refusals} refused
          </Trans>
        )}
      </Text>
    </div>
  );
}
