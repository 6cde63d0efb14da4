import { useSyncExternalStore } from 'react';

/** Milliseconds after which what says how long ago something was is drawn anew. */
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
 * Has what depends on the present drawn again as time goes by. The answers of the service alone do not: as long as they are the same, nothing
 * is drawn, and what was a minute ago would stay that for ever.
 */
export function useTick(): void {
  useSyncExternalStore(subscribe, present, present);
}
