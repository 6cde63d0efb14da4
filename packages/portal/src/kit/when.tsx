import { Trans } from '@lingui/react/macro';
import { useState, useSyncExternalStore } from 'react';
import { distance, moment } from './dates.ts';

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

/** Milliseconds after which relative times are rendered again. */
const pace = 10_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval>;

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0)
    timer = setInterval(() => {
      for (const notify of listeners) notify();
    }, pace);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

const present = () => Math.floor(Date.now() / pace);

/**
 * Re-renders relative times as time passes. The answers of the service alone do not: as long as they are the same, nothing
 * is rendered, and what was a minute ago would stay that for ever.
 */
export function useTick(): void {
  useSyncExternalStore(subscribe, present, present);
}
