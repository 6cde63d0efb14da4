import { type FocusEvent, type ReactNode, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import shared from '../shared.module.css';
import styles from './popover.module.css';

interface Props {
  /** The content of the button. */
  readonly button: ReactNode;
  readonly buttonClass?: string | undefined;
  /** The words for the button. */
  readonly label: string;
  /** The name of the panel. */
  readonly title: string;
  readonly panelClass?: string | undefined;
  readonly className?: string | undefined;
  /** Whether the first field or link of the panel gets the focus. */
  readonly focusesFirst?: boolean;
  /** The content of the open panel. */
  readonly children: (close: () => void) => ReactNode;
}

/**
 * A button with a panel below it, which closes when the focus leaves both. The browser opens and closes it (`popover`): Mantine's is a tenth
 * of the first script, since it can be placed anywhere.
 */
export function Popover(props: Props) {
  const { button, buttonClass = styles.opener, label, title, panelClass = '', className, children } = props;
  const id = useId();
  const [open, setOpen] = useState<HTMLElement | null>(null);
  const close = () => open?.hidePopover();
  /** The next focused element may be behind the panel. */
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) close();
  };
  return (
    <div className={className} onBlur={onBlur}>
      <button
        type="button"
        className={`${shared.plain} ${buttonClass}`}
        aria-label={label}
        title={label}
        popoverTarget={id}
      >
        {button}
      </button>
      <div
        id={id}
        popover="auto"
        role="group"
        aria-label={title}
        className={`${shared.popover} ${styles.panel} ${panelClass}`}
        onBeforeToggle={({ newState, currentTarget }) => {
          if (newState !== 'open') return;
          place(currentTarget);
          // The browser gives the focus while it opens the panel. The toggle event comes later than the next key, which would be lost.
          flushSync(() => setOpen(currentTarget));
          if (props.focusesFirst) currentTarget.querySelector('input, a')?.setAttribute('autofocus', '');
        }}
        // Its content goes after the toggle: the browser gives the focus back to the button only from what is there.
        onToggle={({ newState, currentTarget }) => setOpen(newState === 'open' ? currentTarget : null)}
      >
        {open && children(close)}
      </div>
    </div>
  );
}

/** Tells the style sheet where the button is on the page. */
function place(panel: HTMLElement): void {
  const { left, right, bottom } = panel.parentElement!.getBoundingClientRect();
  const { clientWidth } = document.documentElement;
  panel.style.setProperty('--left', `${left + window.scrollX}px`);
  panel.style.setProperty('--right', `${clientWidth - right - window.scrollX}px`);
  panel.style.setProperty('--bottom', `${bottom + window.scrollY}px`);
}
