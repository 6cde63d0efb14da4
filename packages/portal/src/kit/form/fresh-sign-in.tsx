import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react';
import { Rejection } from '../../api/ask.ts';

/** Few ever see it, so it is loaded when it is needed. */
const load = () => import('./confirmation-dialog.tsx');
const ConfirmationDialog = lazy(async () => ({ default: (await load()).ConfirmationDialog }));

/** Does something; where the service asks for a fresh sign-in first, so does the portal, and does it then. */
type Freshly = <Result>(action: () => Promise<Result>) => Promise<Result>;

const Context = createContext<Freshly>(action => action());

/** Runs a sensitive action after a fresh sign-in. It rejects with {@link Aborted} when the user cancels. */
export const useFreshly = () => useContext(Context);

/** The user did not want to show once more who it is. */
export class Aborted extends Error {}

interface Waiting {
  readonly go: () => void;
  readonly leave: () => void;
}

/** Asks once for all actions that wait for it: a second one may have been begun before the first was answered. */
export function FreshSignIn({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const freshly = useCallback<Freshly>(async action => {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof Rejection) || error.code !== 'FRESH_SIGN_IN_REQUIRED') throw error;
    }
    // Before it is rendered: what cannot be loaded is a failure of the action, not of the page.
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
    <Context value={freshly}>
      {children}
      {waiting.length > 0 && (
        <Suspense>
          <ConfirmationDialog confirmed={() => close('go')} left={() => close('leave')} />
        </Suspense>
      )}
    </Context>
  );
}
