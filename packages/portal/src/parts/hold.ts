import { createContext, useContext, useEffect } from 'react';

interface Holding {
  readonly held: boolean;
  /** Answers how to let go. */
  readonly hold: () => () => void;
}

/** Whether something keeps the dialog around open, and how to do so. */
export const Hold = createContext<Holding>({ held: false, hold: () => () => {} });

/**
 * Keeps the dialog around open while something is under way in it. Who left it then would not see what came of it: why it failed, or a key
 * that is shown once.
 */
export function useHold(isUnderWay: boolean): void {
  const { hold } = useContext(Hold);
  useEffect(() => (isUnderWay ? hold() : undefined), [hold, isUnderWay]);
}
