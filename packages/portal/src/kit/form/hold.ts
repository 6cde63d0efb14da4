import { createContext, useContext, useMemo, useRef, useState } from 'react';

/** Keeps a dialog open while an action is in progress. */
interface Holding {
  /** Whether something does, as of the last rendering. */
  readonly held: boolean;
  /** Keeps it open from now on; answers how to let go. */
  readonly hold: () => () => void;
  /** Closes it, if nothing keeps it open now. */
  readonly leave: (close: () => void) => void;
}

/** That of the dialog around; outside of any there is nothing to keep open. */
export const Hold = createContext<Holding>({
  held: false,
  hold: () => () => {},
  leave: close => close(),
});

/**
 * Keeps the dialog around open while something is in progress in it. Who left it then would not see what came of it: why it failed, or a key
 * that is shown once.
 */
export const useHold = (): Holding['hold'] => useContext(Hold).hold;

/** For a dialog: what is in it may keep it open. That counts at once, not when it is rendered next. */
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
