import { lazyRouteComponent } from '@tanstack/react-router';
import { createContext, type ReactNode, Suspense, useCallback, useContext, useState } from 'react';
import { Refusal } from '../api/ask.ts';

/** Few ever see it, so it is loaded when it is needed. */
const ConfirmationDialog = lazyRouteComponent(
  () => import('./confirmation-dialog.tsx'),
  'ConfirmationDialog',
);

/** Does something; where the service asks for a fresh sign-in first, so does the portal, and does it then. */
type Freshly = <Result>(action: () => Promise<Result>) => Promise<Result>;

const Context = createContext<Freshly>(action => action());

/** What delicate actions go through. An action that the user breaks off is rejected with {@link BrokenOff}. */
export const useFreshly = () => useContext(Context);

/** The user did not want to show once more who it is. */
export class BrokenOff extends Error {}

interface Waiting {
  readonly go: () => void;
  readonly leave: () => void;
}

export function FreshSignIn({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const freshly = useCallback<Freshly>(async action => {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'FRESH_SIGN_IN_REQUIRED') throw error;
    }
    await new Promise<void>((resolve, reject) => {
      setWaiting({ go: resolve, leave: () => reject(new BrokenOff()) });
    });
    return action();
  }, []);
  const close = (how: keyof Waiting) => {
    setWaiting(null);
    waiting?.[how]();
  };
  return (
    <Context value={freshly}>
      {children}
      {waiting && (
        <Suspense>
          <ConfirmationDialog confirmed={() => close('go')} left={() => close('leave')} />
        </Suspense>
      )}
    </Context>
  );
}
