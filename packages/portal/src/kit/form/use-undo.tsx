import type { QueryKey } from '@tanstack/react-query';
import { useLingui } from '@lingui/react/macro';
import { queryClient } from '../../api/queries.ts';
import { confirmDone } from '../overlay/toasts.tsx';
import { useFreshSignIn } from './use-action.ts';

interface Undoable {
  /** Confirms what was done. */
  readonly done: string;
  /** Restores what was before. Only for what leaves no trace but in records. */
  readonly undo: () => Promise<unknown>;
  /** Confirms that it is as before. */
  readonly undone: string;
  /** Words for the button; absent: Undo. */
  readonly label?: string;
}

/** Confirms an action by a toast with a button that undoes it. `changes` are the queries that either makes old. */
export function useUndo(changes: readonly QueryKey[]): (undoable: Undoable) => void {
  const { t } = useLingui();
  const withFreshSignIn = useFreshSignIn();
  return ({ done, undo, undone, label }) =>
    confirmDone(done, {
      label: label ?? t`Undo`,
      async run() {
        await withFreshSignIn(undo);
        const old = [['summary'], ...changes];
        await Promise.all(old.map(queryKey => queryClient.invalidateQueries({ queryKey })));
        confirmDone(undone);
      },
    });
}
