import { Legend, type Tone, tones } from './legend.tsx';
import styles from './parts-bar.module.css';

/** A part of a whole, in cents or any other unit. */
export interface BarPart {
  readonly name: string;
  readonly size: number;
  /** The size in words. */
  readonly label: string;
  readonly tone: Tone;
}

/** Bars of one scale, each of them the parts of a whole. A text beside it says the same, so screen readers pass over it. */
export function PartsBars({ bars }: { bars: readonly (readonly BarPart[])[] }) {
  const whole = Math.max(...bars.map(sizeOf));
  return (
    <div aria-hidden className={`${styles.bars} ${tones}`}>
      {bars.map(parts => (
        <div key={parts.map(({ name }) => name).join(' ')}>
          <div className={styles.bar} style={{ width: `${(100 * sizeOf(parts)) / whole}%` }}>
            {parts.map(({ name, size, tone }) => (
              <span key={name} data-tone={tone} style={{ flexGrow: size }} />
            ))}
          </div>
          <Legend names={parts} />
        </div>
      ))}
    </div>
  );
}

const sizeOf = (parts: readonly BarPart[]) => parts.reduce((sum, { size }) => sum + size, 0);
