import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../../api/queries.ts';
import { useFreshly } from './fresh-sign-in.tsx';
import { useStay } from './stay.ts';
import { useAttempt } from './use-attempt.ts';

/** The state of what a button or a form does. */
export interface Action<Input extends readonly unknown[] = []> {
  /** Answers whether it worked. */
  readonly run: (...input: Input) => Promise<boolean>;
  readonly busy: boolean;
  /** Why the last attempt has failed; null: it has not. */
  readonly error: unknown;
  readonly forget: () => void;
}

/**
 * Does something, after a fresh sign-in where it takes one, and fetches again all queries with keys that begin with one of these. Where it fails,
 * the error is there to be shown.
 */
export function useAction<Result, Input extends readonly unknown[] = []>(
  changes: readonly QueryKey[],
  action: (...input: Input) => Promise<Result>,
  done?: (result: Result) => void,
): Action<Input> {
  const freshly = useFreshly();
  const { attempt, busy, error, forget } = useAttempt();
  const run = (...input: Input) =>
    attempt('send', async () => {
      const result = await freshly(() => action(...input));
      void queryClient.invalidateQueries({ queryKey: ['summary'] });
      await Promise.all(changes.map(queryKey => queryClient.invalidateQueries({ queryKey })));
      done?.(result);
    });
  return { run, error, busy: busy !== null, forget };
}

/**
 * Makes what is shown once, such as a key or the link of an invitation, and fetches its list again. Until the answer is there
 * the page is not left: it could never be shown again.
 */
export function useMaking<Made, Input extends readonly unknown[] = []>(
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
