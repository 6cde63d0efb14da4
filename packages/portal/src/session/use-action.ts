import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../api/queries.ts';
import { useFreshly } from './fresh-sign-in.tsx';
import { useAttempt } from './use-attempt.ts';

/**
 * Does something, after a fresh sign-in where it takes one, and has all read anew whose keys begin with one of these. Where it fails,
 * the error is there to be shown.
 */
export function useAction<Result>(
  changes: readonly QueryKey[],
  action: () => Promise<Result>,
  done?: (result: Result) => void,
) {
  const freshly = useFreshly();
  const { attempt, busy, error } = useAttempt();
  const run = () =>
    attempt('send', async () => {
      const result = await freshly(action);
      await Promise.all(changes.map(queryKey => queryClient.invalidateQueries({ queryKey })));
      done?.(result);
    });
  return { run, error, busy: busy !== null };
}
