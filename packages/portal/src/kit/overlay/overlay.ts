import { createContext, type RefObject, useContext, useEffect, useMemo, useRef, useState } from 'react';

/** How the open dialogs and panels are closed, the topmost last; undefined: only what is in it closes it. */
const overlays: RefObject<(() => void) | undefined>[] = [];

window.addEventListener(
  'keydown',
  event => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // An open list of choices closes first. Mantine marks the field that it belongs to.
    const { target } = event;
    if (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true') return;
    overlays.at(-1)?.current?.();
  },
  { capture: true },
);

/** Has Escape close a dialog or panel when it is the topmost one. Mantine would close all at once. */
export function useEscape(opened: boolean, close: (() => void) | undefined): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (!opened) return;
    overlays.push(latest);
    return () => void overlays.splice(overlays.indexOf(latest), 1);
  }, [opened]);
}

/** Keeps a dialog open while an action is in progress. */
interface Holding {
  /** Whether an action keeps it open, as of the last rendering. */
  readonly held: boolean;
  /** Keeps it open until the returned function is called. */
  readonly hold: () => () => void;
  /** Closes it, unless an action keeps it open. */
  readonly leave: (close: () => void) => void;
  /** Whether something was typed, which a click outside of the dialog must not lose. */
  readonly isTyped: boolean;
  readonly setTyped: (isTyped: boolean) => void;
}

/** Provided by each dialog. By default, outside of a dialog, nothing is kept open. */
export const Hold = createContext<Holding>({
  held: false,
  hold: () => () => {},
  leave: close => close(),
  isTyped: false,
  setTyped: () => {},
});

/**
 * Keeps the enclosing dialog open during an action. Else its user would not see the outcome: why it failed, or a key that is shown once.
 */
export const useHold = (): Holding['hold'] => useContext(Hold).hold;

/** For a dialog. The count is a ref, so that it applies at once and not at the next rendering. */
export function useHolding(): Holding {
  const holders = useRef(0);
  const [held, setHeld] = useState(false);
  const [isTyped, setTyped] = useState(false);
  return useMemo(() => {
    const count = (change: number) => {
      holders.current += change;
      setHeld(holders.current > 0);
    };
    return {
      held,
      hold: () => {
        count(1);
        return () => count(-1);
      },
      leave: close => {
        if (holders.current === 0) close();
      },
      isTyped,
      setTyped,
    };
  }, [held, isTyped]);
}

/** Whether a click is a second one of a double click. It was meant for what stood there before the first one. */
export function isSecondClick({ detail }: { readonly detail: number }): boolean {
  return detail > 1;
}

/** For a button that sends a form: a second click does not send what the first one has brought under the pointer. */
export function preventSecondClick(event: {
  readonly detail: number;
  readonly preventDefault: () => void;
}): void {
  if (isSecondClick(event)) event.preventDefault();
}

/** What had the focus last. */
let focused: EventTarget | null = null;
window.addEventListener('focusin', ({ target }) => {
  focused = target;
});

/** Milliseconds. Mantine gives the focus back to what has opened a dialog after ten. */
const givenBack = 20;

// An answer removes a focused button now before, now after its action ends, so the document is watched rather than the action.
new MutationObserver(() => {
  if (!(focused instanceof Element) || focused.isConnected) return;
  focused = null;
  setTimeout(rescueFocus, givenBack);
}).observe(document.documentElement, { childList: true, subtree: true });

/** Focuses the title of the topmost dialog, or else the heading of the page, if nothing has the focus. */
function rescueFocus(): void {
  if (document.activeElement !== document.body) return;
  const dialog = [...document.querySelectorAll('[role=dialog][aria-modal=true]')].at(-1);
  const title = dialog ? dialog.querySelector<HTMLElement>('h2') : document.querySelector('h1');
  title?.focus({ preventScroll: true });
}

/** Returns a function that gives the focus back to the present element, if it was lost meanwhile: a button that loads is disabled. */
export function keepFocus(): () => void {
  const had = document.activeElement;
  return () => {
    if (document.activeElement === document.body && had instanceof HTMLElement)
      had.focus({ preventScroll: true });
  };
}
