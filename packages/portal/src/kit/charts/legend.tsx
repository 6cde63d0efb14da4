import type { ReactNode } from 'react';
import styles from './legend.module.css';

/** The tone of a bar, and of its name in the legend. The chart needs the class {@link tones}. */
export type Tone = 'first' | 'second' | 'third' | 'taken' | 'result';

export const tones = styles.tones!;

interface Named {
  readonly name: string;
  readonly tone: Tone;
  readonly label?: ReactNode;
}

/** The names of bars, each behind its colour. */
export function Legend({ names }: { names: readonly Named[] }) {
  return (
    <div className={styles.legend}>
      {names.map(({ name, tone, label }) => (
        <span key={name}>
          <i data-tone={tone} /> {name}
          {label && <strong> {label}</strong>}
        </span>
      ))}
    </div>
  );
}
