import type { QueryKey } from '@tanstack/react-query';
import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { checkSession, queryClient } from '../../api/queries.ts';
import { asksBeforeUnload } from '../../api/use.ts';
import { keepFocus, useHold } from '../overlay/overlay.ts';

/** Runs an action. If the service requires a fresh sign-in, the user confirms their identity, and the action runs again. */
export type WithFreshSignIn = <Result>(action: () => Promise<Result>) => Promise<Result>;

/** {@link FreshSignIn} provides it. */
export const FreshSignInContext = createContext<WithFreshSignIn>(action => action());

/** Returns the function that runs sensitive actions. It rejects with {@link Aborted} when the user cancels. */
export const useFreshSignIn = () => useContext(FreshSignInContext);

/** The user did not confirm their identity. */
export class Aborted extends Error {}

/** The state of what a button or a form does. */
export interface Action<Input extends readonly unknown[] = []> {
  /** Resolves to whether it worked. */
  readonly run: (...input: Input) => Promise<boolean>;
  readonly busy: boolean;
  /** The error of the last attempt; null: it did not fail. */
  readonly error: unknown;
  readonly forget: () => void;
}

/**
 * Runs an action, after a fresh sign-in if the service requires one. Then all queries whose keys begin with one of `changes` are fetched
 * again.
 */
export function useAction<Result, Input extends readonly unknown[] = []>(
  changes: readonly QueryKey[],
  action: (...input: Input) => Promise<Result>,
  done?: (result: Result) => void,
): Action<Input> {
  const withFreshSignIn = useFreshSignIn();
  const { attempt, busy, error, forget } = useAttempt();
  const run = (...input: Input) =>
    attempt('send', async () => {
      const result = await withFreshSignIn(() => action(...input));
      void queryClient.invalidateQueries({ queryKey: ['summary'] });
      await Promise.all(changes.map(queryKey => queryClient.invalidateQueries({ queryKey })));
      done?.(result);
    });
  return { run, error, busy: busy !== null, forget };
}

/**
 * Creates what is shown only once, such as a key or the link of an invitation, and fetches its list again. Until the answer is there, the
 * page cannot be left.
 */
export function useCreation<Made, Input extends readonly unknown[] = []>(
  list: 'keys' | 'users',
  action: (...input: Input) => Promise<Made>,
  made: (answer: Made) => void,
): Action<Input> {
  const making = useAction([], action, answer => {
    made(answer);
    void queryClient.invalidateQueries({ queryKey: [list] });
  });
  useStay(making.busy);
  return making;
}

const always: ShouldBlockFn = () => true;

/** Keeps the page open while leaving it would lose something: links and the back button do nothing, and the browser asks before it closes. */
export function useStay(whileLost: boolean): void {
  useBlocker({ shouldBlockFn: always, enableBeforeUnload: asksBeforeUnload, disabled: !whileLost });
}

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
