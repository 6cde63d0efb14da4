import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../api/queries.ts';
import { useAttempt } from './use-attempt.ts';

/** Does something and has all read anew whose keys begin with one of these; where it fails, the error is there to be shown. */
export function useAction<Result>(
  changes: readonly QueryKey[],
  action: () => Promise<Result>,
  done?: (result: Result) => void,
) {
  const { attempt, busy, error } = useAttempt();
  const run = () =>
    attempt('send', async () => {
      const result = await action();
      await Promise.all(changes.map(queryKey => queryClient.invalidateQueries({ queryKey })));
      done?.(result);
    });
  return { run, error, busy: busy !== null };
}
