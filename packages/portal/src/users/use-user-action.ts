import { identityQuery } from '../api/queries.ts';
import { useFreshly } from '../session/fresh-sign-in.tsx';
import { useAction } from '../session/use-action.ts';

/** Does something with a user, after a fresh sign-in where it takes one, and has all users read anew. */
export function useUserAction<Result>(action: () => Promise<Result>, done?: (result: Result) => void) {
  const freshly = useFreshly();
  // Who is signed in may have changed themselves.
  return useAction([['users'], identityQuery.queryKey], () => freshly(action), done);
}
