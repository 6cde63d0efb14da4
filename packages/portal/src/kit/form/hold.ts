import { createContext, useContext, useMemo, useRef, useState } from 'react';

/** Keeps a dialog open while an action is in progress. */
interface Holding {
  /** Whether an action keeps it open, as of the last rendering. */
  readonly held: boolean;
  /** Keeps it open until the returned function is called. */
  readonly hold: () => () => void;
  /** Closes it, unless an action keeps it open. */
  readonly leave: (close: () => void) => void;
}

/** Provided by each dialog. By default, outside of a dialog, nothing is kept open. */
export const Hold = createContext<Holding>({
  held: false,
  hold: () => () => {},
  leave: close => close(),
});

/**
 * Keeps the enclosing dialog open during an action. Else its user would not see the outcome: why it failed, or a key that is shown once.
 */
export const useHold = (): Holding['hold'] => useContext(Hold).hold;

/** For a dialog. The count is a ref, so that it applies at once and not at the next rendering. */
export function useHolding(): Holding {
  const holders = useRef(0);
  const [held, setHeld] = useState(false);
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
    };
  }, [held]);
}
