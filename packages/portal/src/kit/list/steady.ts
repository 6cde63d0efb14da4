import { type FocusEvent, useState } from 'react';

/** A page of a list, as the service answers it. */
export interface PageOf<Row> {
  readonly totalElements: number;
  readonly totalPages: number;
  readonly items: readonly Row[];
}

interface Identified {
  readonly id: string;
}

/**
 * The rows to show of a live list. While the pointer or the focus is in the list, no row is added, removed or moved; changes within a row
 * still show.
 * @param question identifies the page and the list; a new one shows all rows at once
 */
export function useSteady<Row extends Identified>(present: PageOf<Row> | undefined, question: string) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const [kept, setKept] = useState({ question, page: present });
  const isSame = kept.question === question && present && kept.page && idsOf(kept.page) === idsOf(present);
  const waits = (pointed || focused) && kept.question === question && kept.page && present && !isSame;
  if (!waits && (kept.page !== present || kept.question !== question)) setKept({ question, page: present });
  const shown = waits ? renewed(kept.page!, present) : present;
  return {
    shown,
    /** Whether there is more to see than is shown. */
    waits: Boolean(waits),
    showAll: () => {
      setKept({ question: '', page: undefined });
      // The rows of an own action may still be on their way.
      setPointed(false);
      setFocused(false);
    },
    /** For the element that the rows are in. */
    hands: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
        setFocused(currentTarget.contains(relatedTarget)),
    },
  };
}

function idsOf({ items }: PageOf<Identified>): string {
  return items.map(({ id }) => id).join(' ');
}

/** The rows that are shown, each as it is now; one that is gone as it was. */
function renewed<Row extends Identified>(shown: PageOf<Row>, present: PageOf<Row>): PageOf<Row> {
  const now = new Map(present.items.map(row => [row.id, row]));
  return { ...shown, items: shown.items.map(row => now.get(row.id) ?? row) };
}
