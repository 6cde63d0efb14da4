import { type ReactNode, useId, useRef } from 'react';
import { type IconName, Icon } from '../icon.tsx';
import shared from '../shared.module.css';
import styles from './popover.module.css';

interface Props {
  readonly icon: IconName;
  /** The words for the button. */
  readonly label: string;
  /** The name of the panel. */
  readonly title: string;
  readonly className?: string | undefined;
  /** Called before the panel opens. */
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

/** A button with a panel below it. The browser opens and closes the panel (`popover`), as that of the user. */
export function Popover({ icon, label, title, className = '', onOpen, children }: Props) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
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
        aria-label={label}
        popoverTarget={id}
      >
        <Icon name={icon} size={20} />
      </button>
      <div
        id={id}
        ref={panel}
        popover="auto"
        role="group"
        aria-label={title}
        className={`${shared.popover} ${styles.panel} ${className}`}
        onBeforeToggle={({ newState }) => {
          if (newState !== 'open') return;
          place();
          onOpen?.();
        }}
      >
        {children}
      </div>
    </>
  );
}
