import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { distance, moment } from './dates.ts';
import { useTick } from './tick.ts';

/** How long ago or ahead something is, and the exact moment on pointing at it: to make that of each is expensive in a long list. */
export function When({ at }: { at: string }) {
  useTick();
  const [pointed, setPointed] = useState(false);
  return (
    <time dateTime={at} title={pointed ? moment(at) : undefined} onPointerEnter={() => setPointed(true)}>
      {distance(at)}
    </time>
  );
}

/** The same of what may never have been, or never be. */
export function WhenOrNever({ at }: { at: string | null }) {
  return at === null ? <Trans>Never</Trans> : <When at={at} />;
}
