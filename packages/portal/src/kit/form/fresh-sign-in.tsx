import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { Rejection } from '../../api/ask.ts';
import { Aborted, FreshSignInContext, type WithFreshSignIn } from './use-action.ts';

/** Rarely needed, so it is loaded on demand. */
const load = () => import('./confirmation-dialog.tsx');
const ConfirmationDialog = lazy(async () => ({ default: (await load()).ConfirmationDialog }));

interface PendingConfirmation {
  readonly go: () => void;
  readonly leave: () => void;
}

/** Opens one dialog for all waiting actions: a second one may have begun before the first got its answer. */
export function FreshSignIn({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<readonly PendingConfirmation[]>([]);
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
  const close = (how: keyof PendingConfirmation) => {
    setWaiting(all => all.filter(one => !waiting.includes(one)));
    for (const one of waiting) one[how]();
  };
  return (
    <FreshSignInContext value={withFreshSignIn}>
      {children}
      {waiting.length > 0 && (
        <Suspense>
          <ConfirmationDialog confirmed={() => close('go')} left={() => close('leave')} />
        </Suspense>
      )}
    </FreshSignInContext>
  );
}
