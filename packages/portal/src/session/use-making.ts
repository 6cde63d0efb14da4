import { queryClient } from '../api/queries.ts';
import { useStay } from '../parts/stay.ts';
import { useFreshly } from './fresh-sign-in.tsx';
import { useAttempt } from './use-attempt.ts';

/**
 * Makes what is shown once, such as a key or the link of an invitation, and has the list that it is in read anew. Until the answer is there
 * the page is not left: nobody could see it any more.
 */
export function useMaking<Made>(list: 'keys' | 'users', made: (answer: Made) => void) {
  const freshly = useFreshly();
  const { attempt, busy, error, forget } = useAttempt();
  useStay(busy !== null);
  const make = (action: () => Promise<Made>) =>
    attempt('send', async () => {
      made(await freshly(action));
      void queryClient.invalidateQueries({ queryKey: [list] });
    });
  return { make, busy: busy !== null, error, forget };
}
