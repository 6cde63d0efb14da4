import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../api/queries.ts';
import { BrokenOff } from './fresh-sign-in.tsx';

/**
 * Does something and has all read anew whose keys begin with one of these; where it fails, the error is there to be shown. A fresh sign-in
 * that was broken off is no failure.
 */
export function useAction<Result>(
  changes: readonly QueryKey[],
  action: () => Promise<Result>,
  done: (result: Result) => void,
) {
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      const result = await action();
      await Promise.all(changes.map(queryKey => queryClient.invalidateQueries({ queryKey })));
      done(result);
    } catch (failure) {
      if (!(failure instanceof BrokenOff)) setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { run, error, busy };
}
