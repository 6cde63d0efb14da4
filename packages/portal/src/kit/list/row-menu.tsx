import { useLingui } from '@lingui/react/macro';
import { useId, useRef } from 'react';
import { Icon } from '../icon.tsx';
import type { NamedRow, RowAction } from './row-action.ts';
import shared from '../shared.module.css';
import styles from './row-menu.module.css';

interface Props<Row> {
  readonly row: Row;
  readonly name: string;
  readonly actions: readonly RowAction<Row>[];
  readonly choose: (action: RowAction<Row>) => void;
}

/** The actions on a row. The browser opens and closes the panel (`popover`), as that of the user. */
export function RowMenu<Row extends NamedRow>({ row, name, actions, choose }: Props<Row>) {
  const { t } = useLingui();
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const possible = actions.filter(({ applies }) => applies(row));
  if (possible.length === 0) return null;
  /** Below its button. It is above the page, but goes with it when it is scrolled. */
  const place = () => {
    const { right, bottom } = opener.current!.getBoundingClientRect();
    const { clientWidth } = document.documentElement;
    panel.current!.style.insetInlineEnd = `${clientWidth - right - window.scrollX}px`;
    panel.current!.style.insetBlockStart = `${bottom + window.scrollY}px`;
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={`${shared.plain} ${styles.opener}`}
        aria-label={t`Actions for ${name}`}
        popoverTarget={id}
      >
        <Icon name="more" size={20} />
      </button>
      <div
        id={id}
        ref={panel}
        popover="auto"
        role="group"
        aria-label={name}
        className={`${shared.popover} ${styles.menu}`}
        onBeforeToggle={({ newState }) => newState === 'open' && place()}
      >
        {possible.map(action => (
          <button
            key={action.label}
            type="button"
            className={shared.plain}
            onClick={() => {
              panel.current!.hidePopover();
              choose(action);
            }}
          >
            {action.label}
          </button>
        ))}
      </div>
    </>
  );
}
