import { Button, Notification } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useFailureWords } from '../failure.tsx';
import { Aborted } from '../form/use-action.ts';
import { Icon } from '../icon.tsx';
import styles from './toasts.module.css';

/** Milliseconds that a toast stays, and one with a button. */
const lifetime = 6_000;
const lifetimeWithButton = 20_000;

interface Toast {
  readonly words: string;
  readonly action?: ToastAction | undefined;
  readonly error?: unknown;
}

export interface ToastAction {
  readonly label: string;
  readonly run: () => Promise<unknown>;
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

/** Confirms what was done, on whatever page is open, and offers an action such as undoing it. It replaces the toast before. */
export function confirmDone(words: string, action?: ToastAction): void {
  show({ words, action });
}

/** Runs the action of the toast, and shows why it failed. */
export async function runToastAction(): Promise<void> {
  const before = toast;
  const run = before?.action?.run;
  if (run === undefined) return;
  show(null);
  // After a cancelled fresh sign-in it can be run again.
  await run().catch((error: unknown) => show(error instanceof Aborted ? before : { words: '', error }));
}

/** The last toast; stacks of them, as Mantine's notifications are, would be 13 kB of the first script. The page shows the same, so the toast disappears after a while, but not while its button has the focus. */
export function Toasts() {
  const { t } = useLingui();
  const words = useFailureWords();
  const area = useRef<HTMLDivElement>(null);
  const shown = useSyncExternalStore(subscribe, () => toast);
  useEffect(() => {
    if (shown === null) return undefined;
    const hide = () => {
      if (!area.current?.contains(document.activeElement)) show(null);
    };
    const timer = setInterval(hide, shown.action ? lifetimeWithButton : lifetime);
    return () => clearInterval(timer);
  }, [shown]);
  // The rest of the page leaves the height of the toast free.
  useEffect(() => {
    const { style } = document.documentElement;
    const measure = () => style.setProperty('--toast', `${area.current?.offsetHeight ?? 0}px`);
    const observer = new ResizeObserver(measure);
    observer.observe(area.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={area} className={styles.toasts} role="status">
      {shown && (
        <Notification
          role="presentation"
          withBorder
          {...(shown.error === undefined
            ? { icon: <Icon name="check" size={16} /> }
            : { icon: <Icon name="alert" size={16} />, color: 'red' })}
          onClose={() => show(null)}
          closeButtonProps={{ 'aria-label': t`Close` }}
        >
          {shown.error === undefined ? shown.words : words(shown.error)}{' '}
          {shown.action && (
            <Button size="compact-sm" variant="default" ml="xs" onClick={() => void runToastAction()}>
              {shown.action.label}
            </Button>
          )}
        </Notification>
      )}
    </div>
  );
}
