import { useEffect, useRef, useState } from 'react';
import { checkSession } from '../../api/queries.ts';
import { keepFocus } from './focus.ts';
import { useHold } from './hold.ts';
import { Aborted } from './fresh-sign-in.tsx';

/**
 * Runs the action of a form or of one of several buttons. `busy` names the running action; a failure is kept as `error` until the next
 * attempt. A dialog around it stays open meanwhile. A cancelled fresh sign-in is not a failure.
 */
export function useAttempt<Method extends string = 'send'>() {
  const [busy, setBusy] = useState<Method | null>(null);
  const [error, setError] = useState<unknown>(null);
  const hold = useHold();
  const giveBack = useRef(() => {});
  // When the rendering shows nothing in progress, or is gone.
  useEffect(() => (busy === null ? undefined : () => giveBack.current()), [busy]);
  /** Whether it worked. */
  const attempt = async (method: Method, action: () => Promise<unknown>): Promise<boolean> => {
    const letGo = hold();
    giveBack.current = keepFocus();
    setBusy(method);
    setError(null);
    try {
      await action();
      return true;
    } catch (failure) {
      if (!(failure instanceof Aborted)) setError(failure);
      checkSession(failure);
      return false;
    } finally {
      setBusy(null);
      letGo();
    }
  };
  return { attempt, busy, error, forget: () => setError(null) };
}
