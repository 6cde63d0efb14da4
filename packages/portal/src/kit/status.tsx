import type { ReactNode } from 'react';
import styles from './status.module.css';

/** The state of something in words, behind a dot in its colour. */
export function Status({ status, children }: { status: string; children: ReactNode }) {
  return (
    <span className={styles.status} data-status={status}>
      {children}
    </span>
  );
}
