import { Legend, type Tone, tones } from './legend.tsx';
import styles from './column-chart.module.css';

export interface ChartColumn {
  readonly id: string;
  readonly label: string;
  /** Whether its values are not final. */
  readonly isOpen: boolean;
  readonly bars: readonly { readonly name: string; readonly value: number; readonly tone: Tone }[];
}

/** Columns of bars above and below zero. A table beside it says the same, so screen readers pass over it. */
export function ColumnChart({ columns }: { columns: readonly ChartColumn[] }) {
  const values = columns.flatMap(({ bars }) => bars.map(({ value }) => value));
  const [top, bottom] = [Math.max(0, ...values), Math.max(0, ...values.map(value => -value))];
  const share = (value: number) => `${(100 * Math.abs(value)) / (top + bottom || 1)}%`;
  const names = new Map(columns.flatMap(({ bars }) => bars.map(({ name, tone }) => [name, tone])));
  return (
    <div aria-hidden className={tones}>
      <div className={styles.legend}>
        <Legend names={Array.from(names, ([name, tone]) => ({ name, tone }))} />
      </div>
      <div className={styles.chart}>
        {columns.map(({ id, label, isOpen, bars }) => (
          <div key={id} className={styles.column} data-open={isOpen || undefined}>
            <div className={styles.bars}>
              <hr style={{ top: share(top) }} />
              {bars.map(({ name, value, tone }) => (
                <i
                  key={name}
                  data-tone={tone}
                  hidden={value === 0}
                  style={{ height: share(value), top: value < 0 ? share(top) : share(top - value) }}
                />
              ))}
            </div>
            <span className={styles.label}>{label}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
