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
export function useSteadyRows<Row extends Identified>(present: PageOf<Row> | undefined, question: string) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const [kept, setKept] = useState({ question, page: present });
  const isSame = kept.question === question && present && kept.page && idsOf(kept.page) === idsOf(present);
  const hasChanges = (pointed || focused) && kept.question === question && kept.page && present && !isSame;
  if (!hasChanges && (kept.page !== present || kept.question !== question))
    setKept({ question, page: present });
  const shown = hasChanges ? renewed(kept.page!, present) : present;
  return {
    shown,
    /** Whether rows were added, removed or moved that are not shown yet. */
    hasChanges: Boolean(hasChanges),
    showAll: () => {
      setKept({ question: '', page: undefined });
      // The rows after an action of this user may not have arrived yet.
      setPointed(false);
      setFocused(false);
    },
    /** Event handlers of the element around the rows. */
    handlers: {
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

/** The shown rows with their present values; a removed row keeps its last ones. */
function renewed<Row extends Identified>(shown: PageOf<Row>, present: PageOf<Row>): PageOf<Row> {
  const now = new Map(present.items.map(row => [row.id, row]));
  return { ...shown, items: shown.items.map(row => now.get(row.id) ?? row) };
}
