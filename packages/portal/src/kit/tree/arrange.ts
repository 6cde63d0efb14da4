import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Division } from '@kontor/contract';
import { type Place, placeAt, placeAmongSiblings, type Zone } from './places.ts';
import type { Row, Tree } from './tree.ts';

/** How a tree is changed by drag and drop, and by keys. */
export interface Arranging {
  readonly move: (division: Division, place: Place) => void;
  /** Undoes the last move. */
  readonly undo: () => void;
}

/** Milliseconds over a closed row after which it opens. */
const hoverDelay = 700;

interface Options {
  readonly tree: Tree;
  readonly arranging: Arranging | undefined;
  readonly activate: (id: string) => void;
  readonly open: (id: string, isOpen: boolean) => void;
}

/** Moves divisions of a tree: by drag and drop, by cut and insert (Ctrl+X, Ctrl+V), and by Alt with an arrow among siblings. */
export function useArrange({ tree, arranging, activate, open }: Options) {
  const [dragged, setDragged] = useState<string>();
  const [cut, setCut] = useState<string>();
  const [drop, setDrop] = useState<{ id: string; zone: Zone }>();
  const hover = useRef<{ id: string; timer: ReturnType<typeof setTimeout> }>(undefined);
  const leave = () => {
    clearTimeout(hover.current?.timer);
    hover.current = undefined;
  };
  useEffect(() => () => clearTimeout(hover.current?.timer), []);
  const end = () => {
    leave();
    setDragged(undefined);
    setDrop(undefined);
  };
  const enter = ({ division, isOpen }: Row) => {
    if (hover.current?.id === division.id) return;
    leave();
    if (isOpen !== false) return;
    hover.current = { id: division.id, timer: setTimeout(open, hoverDelay, division.id, true) };
  };
  const moved = dragged === undefined ? undefined : tree.byId.get(dragged);

  /** Properties of a row that is dragged and dropped on. */
  const propsOf = (row: Row) => {
    const { id } = row.division;
    return {
      draggable: true,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', id);
        // The active row stays rendered, however far the tree is scrolled meanwhile.
        activate(id);
        setDragged(id);
      },
      onDragOver: (event: DragEvent) => {
        if (moved === undefined || moved.id === id) return setDrop(undefined);
        event.preventDefault();
        const zone = zoneAt(event);
        enter(row);
        if (drop?.id !== id || drop.zone !== zone) setDrop({ id, zone });
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        end();
        if (moved && moved.id !== id) arranging!.move(moved, placeAt(tree, moved, row, zoneAt(event)));
      },
      onDragEnd: end,
    };
  };

  /** Whether a key was one that moves. */
  const onKey = (event: KeyboardEvent, { division }: Row): boolean => {
    if (arranging === undefined) return false;
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
      const place = placeAmongSiblings(tree, division, key === 'ArrowUp' ? -1 : 1);
      if (place) arranging.move(division, place);
    } else if (isCommand && key === 'x') setCut(division.id);
    else if (isCommand && key === 'v' && cut !== undefined) {
      const waiting = tree.byId.get(cut);
      setCut(undefined);
      if (waiting && waiting !== division)
        arranging.move(waiting, { parentId: division.id, after: undefined });
    } else if (isCommand && key === 'z') arranging.undo();
    else if (key === 'Escape' && cut !== undefined) setCut(undefined);
    else return false;
    return true;
  };

  return {
    isArranged: arranging !== undefined,
    propsOf,
    onKey,
    drop,
    cut: cut ?? dragged,
    isCut: cut !== undefined,
  };
}

/** The upper and the lower quarter of a row are its edges. */
function zoneAt({ currentTarget, clientY }: DragEvent): Zone {
  const { top, height } = currentTarget.getBoundingClientRect();
  const share = (clientY - top) / height;
  return share < 0.25 ? 'before' : share > 0.75 ? 'after' : 'into';
}
