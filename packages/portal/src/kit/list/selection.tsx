import { Button } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { NamedRow, RowAction } from './row-action.ts';
import styles from './list.module.css';

/** The selected rows among those that are shown. A row that disappears is not selected. */
export function useSelection<Row extends NamedRow>(rows: readonly Row[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selected = rows.filter(({ id }) => ids.has(id));
  const isWhole = selected.length === rows.length;
  return {
    selected,
    has: ({ id }: Row) => ids.has(id),
    toggle: ({ id }: Row) => {
      const others = new Set(ids);
      if (!others.delete(id)) others.add(id);
      setIds(others);
    },
    clear: () => setIds(new Set()),
    /** For the checkbox of all rows. */
    all: {
      checked: isWhole,
      ref: (box: HTMLInputElement | null) => {
        if (box) box.indeterminate = !isWhole && selected.length > 0;
      },
      onChange: () => setIds(new Set(isWhole ? [] : rows.map(({ id }) => id))),
    },
  };
}

interface Props<Row> {
  readonly selected: readonly Row[];
  readonly clear: () => void;
  readonly actions: readonly RowAction<Row>[];
  readonly choose: (action: RowAction<Row>) => void;
}

/** The actions on the selected rows. */
export function Selected<Row>({ selected, clear, actions, choose }: Props<Row>) {
  const { t } = useLingui();
  const count = selected.length;
  return (
    <div className={styles.selected} role="group" aria-label={t`Selected rows`}>
      <span role="status">{selected.length > 0 && <Trans>{count} selected</Trans>}</span>
      {selected.length > 0 && (
        <>
          {actions.map(action => (
            <Button
              key={action.label}
              size="xs"
              variant="default"
              disabled={!selected.some(action.applies)}
              onClick={() => choose(action)}
            >
              {action.label}
            </Button>
          ))}
          <Button size="xs" variant="subtle" onClick={clear}>
            <Trans>Clear the selection</Trans>
          </Button>
        </>
      )}
    </div>
  );
}
