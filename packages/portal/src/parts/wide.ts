import { useSyncExternalStore } from 'react';

const query = '(min-width: 62em)';

function subscribe(listener: () => void): () => void {
  const media = matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** Whether a page has the width for a table. What the service draws has: narrower pages do not show that (`styles.css`). */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => true,
  );
}
