import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../../api/queries.ts';
import { useFreshSignIn } from './fresh-sign-in.tsx';
import { useStay } from './stay.ts';
import { useAttempt } from './use-attempt.ts';

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
