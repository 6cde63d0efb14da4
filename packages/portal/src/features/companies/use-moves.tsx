import type { Division } from '@kontor/contract';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ask, Rejection, type RequestOf } from '../../api/ask.ts';
import { queryClient } from '../../api/queries.ts';
import { useFreshSignIn } from '../../kit/form/use-action.ts';
import { confirmDone, runToastAction } from '../../kit/overlay/toasts.tsx';
import { isSamePlace, type Place, placeOf } from '../../kit/tree/places.ts';
import type { Tree } from '../../kit/tree/tree.ts';

type Body = RequestOf<'POST /divisions/{id}/move'>['body'];

/** A rejection of a change under a code that has words in the portal. The changes of the other user are fetched. */
export function changeRejected(error: unknown): never {
  if (!(error instanceof Rejection)) throw error;
  if (error.code === 'INVALID_STATE_TRANSITION') {
    void queryClient.invalidateQueries({ queryKey: ['divisions'] });
    throw error.as('CHANGED_MEANWHILE');
  }
  if (error.status === 422 && error.field === 'parentId') throw error.as('TREE_TOO_DEEP');
  throw error;
}

/** Moves a division, as a dry run where nothing is to be stored. */
export function sendMove(id: string, body: Body, dryRun = false) {
  return ask('POST /divisions/{id}/move', { id, body, ...(dryRun && { query: { dryRun } }) }).catch(
    changeRejected,
  );
}

/** Moves divisions of a company. A toast undoes the last move. */
export function useMoves(tenant: string) {
  const { t } = useLingui();
  const withFreshSignIn = useFreshSignIn();
  const [revealed, setRevealed] = useState<{ readonly id: string }>();
  const store = async (division: Division, { parentId, after }: Place) => {
    const { id, updatedAt: expectedUpdatedAt } = division;
    const place = after === undefined ? { parentId } : { parentId, after };
    const { division: moved } = await withFreshSignIn(() => sendMove(id, { expectedUpdatedAt, ...place }));
    await queryClient.invalidateQueries({ queryKey: ['divisions', tenant] });
    setRevealed({ id });
    return moved;
  };
  const move = async (tree: Tree, division: Division, place: Place) => {
    const before = placeOf(tree, division);
    if (isSamePlace(before, place)) return;
    const moved = await store(division, place);
    const { name } = division;
    confirmDone(t`${name} was moved.`, {
      label: t`Undo`,
      async run() {
        await store(moved, before);
        confirmDone(t`${name} is back at its place.`);
      },
    });
  };
  return { move, undo: () => void runToastAction(), revealed };
}
