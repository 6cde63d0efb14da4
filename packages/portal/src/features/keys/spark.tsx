import { Plural, Trans } from '@lingui/react/macro';
import { number } from '../../kit/dates.ts';
import type { Key } from './key-parts.tsx';
import shared from '../../kit/shared.module.css';
import styles from './spark.module.css';

const width = 3;
const height = 24;

/** The outline of a bar for each day, from its height: a path for all days is one element instead of thirty in each row. */
function bars(heights: readonly number[]): string {
  return heights
    .map((tall, day) => (tall === 0 ? '' : `M${day * (width + 1)} ${height}v${-tall}h${width}v${tall}z`))
    .join('');
}

/** The use of thirty days in one cell: bars, which screen readers skip, and the numbers. */
export function Spark({ shown }: { shown: Key }) {
  const { requestsByDay, rejectionsByDay } = shown;
  const highest = Math.max(1, ...requestsByDay);
  // A day with a single request among thousands is still one with requests.
  const part = (count: number) => (count === 0 ? 0 : Math.max(2, (count / highest) * height));
  const whole = requestsByDay.map(part);
  const rejected = rejectionsByDay.map((count, day) => Math.min(whole[day]!, part(count)));
  const { requests } = shown;
  const rejections = number(shown.rejections);
  if (requests === 0)
    return (
      <span className={shared.aside}>
        <Trans>None</Trans>
      </span>
    );
  return (
    <div>
      <svg
        width={requestsByDay.length * (width + 1)}
        height={height}
        aria-hidden="true"
        focusable="false"
        className={styles.bars}
      >
        <path data-kind="none" d={bars(requestsByDay.map(() => 1))} />
        <path data-kind="fine" d={bars(whole)} />
        <path data-kind="rejected" d={bars(rejected)} />
      </svg>
      <div className={shared.hint}>
        <Plural value={requests} one="# request" other="# requests" />
        {shown.rejections > 0 && (
          <>
            , <Trans>{rejections} rejected</Trans>
          </>
        )}
      </div>
    </div>
  );
}
