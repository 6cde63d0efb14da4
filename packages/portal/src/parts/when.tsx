import { useState } from 'react';
import { distance, moment } from './dates.ts';

/** How long ago or ahead something is, and the exact moment to who points at it: to make that of each is dear to a long list. */
export function When({ at }: { at: string }) {
  const [exact, setExact] = useState<string>();
  return (
    <time dateTime={at} title={exact} onPointerEnter={() => setExact(moment(at))}>
      {distance(at)}
    </time>
  );
}
