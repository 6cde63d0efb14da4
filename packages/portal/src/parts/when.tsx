import { Tooltip } from '@mantine/core';
import { distance, moment } from './dates.ts';

/** How long ago or ahead something is; the exact moment when somebody points at it, and to who listens. */
export function When({ at }: { at: string }) {
  return (
    <Tooltip label={moment(at)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at} title={moment(at)}>
        {distance(at)}
      </time>
    </Tooltip>
  );
}
