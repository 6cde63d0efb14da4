import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react';
import { Rejection } from '../../api/ask.ts';

/** Rarely needed, so it is loaded on demand. */
const load = () => import('./confirmation-dialog.tsx');
const ConfirmationDialog = lazy(async () => ({ default: (await load()).ConfirmationDialog }));

/** Runs an action. If the service requires a fresh sign-in, the user confirms their identity, and the action runs again. */
type WithFreshSignIn = <Result>(action: () => Promise<Result>) => Promise<Result>;

const Context = createContext<WithFreshSignIn>(action => action());

/** Returns the function that runs sensitive actions. It rejects with {@link Aborted} when the user cancels. */
export const useFreshSignIn = () => useContext(Context);

/** The user did not confirm their identity. */
export class Aborted extends Error {}

interface Waiting {
  readonly go: () => void;
  readonly leave: () => void;
}

/** Opens one dialog for all waiting actions: a second one may have begun before the first got its answer. */
export function FreshSignIn({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const withFreshSignIn = useCallback<WithFreshSignIn>(async action => {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof Rejection) || error.code !== 'FRESH_SIGN_IN_REQUIRED') throw error;
    }
    // Loaded before it is rendered, so that a failure is one of the action and not of the page.
    await load();
    await new Promise<void>((resolve, reject) => {
      const own = { go: resolve, leave: () => reject(new Aborted()) };
      setWaiting(others => [...others, own]);
    });
    return action();
  }, []);
  const close = (how: keyof Waiting) => {
    setWaiting(all => all.filter(one => !waiting.includes(one)));
    for (const one of waiting) one[how]();
  };
  return (
    <Context value={withFreshSignIn}>
      {children}
      {waiting.length > 0 && (
        <Suspense>
          <ConfirmationDialog confirmed={() => close('go')} left={() => close('leave')} />
        </Suspense>
      )}
    </Context>
  );
}
