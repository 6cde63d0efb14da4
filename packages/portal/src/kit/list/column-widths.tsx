import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Trans, useLingui } from '@lingui/react/macro';
import { type PointerEvent, type RefObject, useRef, useState } from 'react';
import { Icon } from '../icon.tsx';
import { Popover } from '../overlay/popover.tsx';
import styles from './column-widths.module.css';

/** Percent of the table by the identifier of a column. */
type Widths = Readonly<Record<string, number>>;

/** The bounds of a width. The texts of a column can demand more. */
const bounds = { min: 5, max: 80 };

/**
 * The widths of the columns of a list, which this browser keeps. In percent they never make a table wider than its page: a column gets what
 * the words of the others leave.
 */
export function useColumnWidths(list: string | undefined, table: RefObject<HTMLTableElement | null>) {
  const [widths, setWidths, reset] = useLocalStorage<Widths>({
    key: `kontor-column-widths ${list ?? ''}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const heads = () => [...table.current!.querySelectorAll<HTMLElement>('th[data-column]')];
  return {
    widthOf: (column: string | undefined) =>
      column === undefined || widths[column] === undefined ? undefined : `${widths[column]}%`,
    /** The present widths of the columns that are shown. */
    measure: (): Widths =>
      Object.fromEntries(
        heads().flatMap(head => (head.offsetWidth === 0 ? [] : [[head.dataset['column']!, percentOf(head)]])),
      ),
    /** Sets a width, and keeps what the table has made of it. */
    resize(column: string, percent: number) {
      const head = heads().find(({ dataset }) => dataset['column'] === column)!;
      head.style.width = `${percent}%`;
      setWidths(before => ({ ...before, [column]: percentOf(head) }));
    },
    reset() {
      for (const { style } of heads()) style.width = '';
      reset();
    },
  };
}

/** How much of its table a head has. */
function percentOf(head: HTMLElement): number {
  return Math.round((head.offsetWidth / head.closest('table')!.offsetWidth) * 100);
}

type Resizing = ReturnType<typeof useColumnWidths>;

interface HandleProps {
  readonly column: string;
  readonly resize: Resizing['resize'];
}

/** The edge of a column, which is dragged. {@link ColumnWidths} does the same without a pointer. */
export function WidthHandle({ column, resize }: HandleProps) {
  const start = useRef({ x: 0, width: 0 });
  const follow = ({ currentTarget, clientX, pointerId }: PointerEvent<HTMLElement>) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return;
    const { x, width } = start.current;
    const all = currentTarget.closest('table')!.offsetWidth;
    const percent = Math.round(((width + clientX - x) / all) * 100);
    resize(column, Math.min(Math.max(percent, bounds.min), bounds.max));
  };
  return (
    <span
      aria-hidden
      className={styles.handle}
      onPointerDown={({ currentTarget, clientX, pointerId }) => {
        start.current = { x: clientX, width: currentTarget.closest('th')!.offsetWidth };
        currentTarget.setPointerCapture(pointerId);
      }}
      onPointerMove={follow}
    />
  );
}

interface Props {
  readonly columns: readonly { readonly id: string; readonly label: string }[];
  readonly resizing: Resizing;
}

/** The widths of all columns, for the keyboard and for touch. */
export function ColumnWidths(props: Props) {
  const { t } = useLingui();
  return (
    <Popover
      button={<Icon name="columns" size={20} />}
      label={t`Column widths`}
      title={t`Column widths`}
      panelClass={styles.widths}
    >
      {() => <Sliders {...props} />}
    </Popover>
  );
}

function Sliders({ columns, resizing: { measure, resize, reset } }: Props) {
  const [shown, setShown] = useState(measure);
  return (
    <>
      {columns
        .filter(({ id }) => id in shown)
        .map(({ id, label }) => (
          <label key={id}>
            {label}
            <input
              type="range"
              {...bounds}
              value={shown[id]}
              aria-valuetext={`${shown[id]} %`}
              onChange={({ currentTarget }) => {
                resize(id, currentTarget.valueAsNumber);
                setShown(measure());
              }}
            />
          </label>
        ))}
      <Button
        variant="default"
        size="xs"
        onClick={() => {
          reset();
          setShown(measure());
        }}
      >
        <Trans>Reset</Trans>
      </Button>
    </>
  );
}
