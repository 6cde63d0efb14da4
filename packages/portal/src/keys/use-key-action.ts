import { useAction } from '../session/use-action.ts';

/** Does something with a key, and has all keys read anew. */
export function useKeyAction<Result>(action: () => Promise<Result>, done?: (result: Result) => void) {
  return useAction([['keys']], action, done);
}
