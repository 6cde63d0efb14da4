import { useLingui } from '@lingui/react/macro';
import { Icon } from '../icon.tsx';
import { Popover } from '../overlay/popover.tsx';
import type { NamedRow, RowAction } from './row-action.ts';
import shared from '../shared.module.css';
import styles from './data-table.module.css';

interface Props<Row> {
  readonly row: Row;
  readonly name: string;
  readonly actions: readonly RowAction<Row>[];
  readonly choose: (action: RowAction<Row>) => void;
}

/** The actions on a row. */
export function RowMenu<Row extends NamedRow>({ row, name, actions, choose }: Props<Row>) {
  const { t } = useLingui();
  const possible = actions.filter(({ applies }) => applies(row));
  if (possible.length === 0) return null;
  return (
    <Popover button={<Icon name="more" size={20} />} label={t`Actions for ${name}`} title={name}>
      {close =>
        possible.map(action => (
          <button
            key={action.label}
            type="button"
            className={`${shared.plain} ${styles.item}`}
            onClick={() => {
              close();
              choose(action);
            }}
          >
            {action.label}
          </button>
        ))
      }
    </Popover>
  );
}
