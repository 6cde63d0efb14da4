import { type ReactNode, useCallback, useState } from 'react';
import styles from './status.module.css';

/** The state of something in words, behind a dot in its colour. */
export function Status({ status, children }: { status: string; children: ReactNode }) {
  return (
    <span className={styles.status} data-status={status}>
      {children}
    </span>
  );
}

/** A short text on one line. One that is cut off shows all of it when it has the focus, and to a pointer. */
export function Chip({ children }: { children: ReactNode }) {
  const [whole, setWhole] = useState<string>();
  const measure = useCallback((chip: HTMLSpanElement) => {
    const observer = new ResizeObserver(() => {
      // With the focus it is not cut off, and must keep it.
      if (chip === document.activeElement) return;
      setWhole(chip.scrollWidth > chip.clientWidth ? chip.textContent : undefined);
    });
    observer.observe(chip);
    return () => observer.disconnect();
  }, []);
  return (
    <span ref={measure} className={styles.chip} tabIndex={whole === undefined ? undefined : 0} title={whole}>
      {children}
    </span>
  );
}
