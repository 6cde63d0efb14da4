import { Notification } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';
import styles from './toasts.module.css';

/** Milliseconds that a toast stays. */
const lifetime = 6_000;

interface Toast {
  readonly words: string;
}

let toast: Toast | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(next: Toast | null): void {
  toast = next;
  for (const listener of listeners) listener();
}

/** Confirms what was done, on whatever page is open. It replaces the toast before. */
export function confirmDone(words: string): void {
  show({ words });
}

/** The last toast. It says nothing that the page does not show, too, so it goes by itself. */
export function Toasts() {
  const { t } = useLingui();
  const shown = useSyncExternalStore(subscribe, () => toast);
  useEffect(() => {
    if (shown === null) return undefined;
    const timer = setTimeout(show, lifetime, null);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div className={styles.toasts} role="status">
      {shown && (
        <Notification
          role="presentation"
          withBorder
          icon={<Icon name="check" size={16} />}
          onClose={() => show(null)}
          closeButtonProps={{ 'aria-label': t`Close` }}
        >
          {shown.words}
        </Notification>
      )}
    </div>
  );
}
