import type { AnswerOf } from '../api/ask.ts';
import { queryClient } from '../api/queries.ts';
import { useStay } from '../parts/stay.ts';
import { useFreshly } from '../session/fresh-sign-in.tsx';
import { useAttempt } from '../session/use-attempt.ts';

/** A key with its text, as it is answered once. */
export type Made = AnswerOf<'POST /api-keys'>;

/** Makes a key. Until the answer is there the page is not left: nobody could see the key any more. */
export function useMaking(made: (key: Made) => void) {
  const freshly = useFreshly();
  const { attempt, busy, error, forget } = useAttempt();
  useStay(busy !== null);
  const make = (action: () => Promise<Made>) =>
    attempt('send', async () => {
      made(await freshly(action));
      void queryClient.invalidateQueries({ queryKey: ['keys'] });
    });
  return { make, busy: busy !== null, error, forget };
}
