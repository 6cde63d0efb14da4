import { useState } from 'react';
import { identityQuery, queryClient } from '../api/queries.ts';
import { BrokenOff, useFreshly } from '../session/fresh-sign-in.tsx';

/** Does something with a user, after a fresh sign-in where it takes one, and has all users read anew. */
export function useUserAction<Result>(action: () => Promise<Result>, done: (result: Result) => void) {
  const freshly = useFreshly();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      const result = await freshly(action);
      // Who is signed in may have changed themselves.
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['users'] }),
        queryClient.invalidateQueries(identityQuery),
      ]);
      done(result);
    } catch (failure) {
      if (!(failure instanceof BrokenOff)) setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { run, error, busy };
}
