import { identityQuery } from '../api/queries.ts';
import { useAction } from '../session/use-action.ts';

/** Does something with a user, and has all users read anew. */
export function useUserAction<Result>(action: () => Promise<Result>, done?: (result: Result) => void) {
  // The signed-in user may have changed their own account.
  return useAction([['users'], identityQuery.queryKey], action, done);
}
