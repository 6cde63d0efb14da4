import { NativeSelect, VisuallyHidden } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { type MouseEvent, type ReactNode, Suspense, useRef, useState } from 'react';
import { Icon } from '../icon.tsx';
import { useMayChange } from '../form/may-change.ts';
import { lazyPage } from '../navigation/lazy-page.ts';
import { ColumnWidths, useColumnWidths, WidthHandle } from './column-widths.tsx';
import { type Chosen, type NamedRow, nameOf as ownNameOf, type RowAction } from './row-action.ts';
import type { ActionDialog as ActionDialogType } from './row-actions.tsx';
import { RowMenu } from './row-menu.tsx';
import { Selected, useSelection } from './selection.tsx';
import shared from '../shared.module.css';
import table from './table.module.css';
import styles from './data-table.module.css';

/** Most lists are only looked at, so it is loaded when it is opened. The type keeps the rows of the list. */
const ActionDialog = lazyPage(() => import('./row-actions.tsx'), 'ActionDialog') as typeof ActionDialogType;

/** A column of a file, with words for the values of its field. */
export interface FileColumn {
  readonly field: string;
  readonly label: string;
  readonly words?: Readonly<Record<string, string>>;
}

/** A column of a list. */
export interface Column<Row> {
  readonly label: string;
  /** The field that the service sorts it by; absent: it does not. */
  readonly field?: string;
  /** Its name among the columns, if it has no field. */
  readonly id?: string;
  /** Whether only a wide page shows it; a narrower one leaves it to the page of the row. */
  readonly isExtra?: boolean;
  /** Whether a table with little width leaves it to the page of the row. Cards show it. */
  readonly isSecondary?: boolean;
  /** Whether its amounts stand below each other, at the end of the column. */
  readonly isAmount?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Words for the values of its field in the file of an export. */
  readonly words?: Readonly<Record<string, string>>;
  /** Its columns in that file; absent: its field under its label. */
  readonly file?: readonly FileColumn[];
}

/** The order of a list, and what changes it. */
interface Sorting {
  /** A field, with a leading `-` for descending. */
  readonly sort?: string;
  /** For the fields of columns. */
  readonly sortBy?: (sort: string) => void;
}

interface Props<Row> extends Sorting {
  /** The list that the browser keeps the widths of columns for; absent: they are fixed. */
  readonly list?: string;
  readonly rows: readonly Row[];
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[];
  /** None: rows are not selected. */
  readonly actions?: readonly RowAction<Row>[];
  /** The name of a row for its actions; absent: its field `name`. */
  readonly nameOf?: ((row: Row) => string) | undefined;
  /** Called after an action on rows. */
  readonly acted?: (() => void) | undefined;
}

/**
 * The rows of a list: a table, which the style sheet lays out as a card for each row where it has too little width. Its elements are plain:
 * Mantine's `Table` has a component for each cell, and 13 kB of scripts for scrolling.
 */
export function DataTable<Row extends NamedRow>(props: Props<Row>) {
  const { list, rows, columns, nameOf = ownNameOf, acted, actions: _ofChangers, ...sorting } = props;
  const { t } = useLingui();
  const actions = (useMayChange() && props.actions) || [];
  const selection = useSelection(rows);
  const [chosen, setChosen] = useState<Chosen<Row>>();
  const element = useRef<HTMLTableElement>(null);
  const resizing = useColumnWidths(list, element);
  const hasActions = actions.length > 0;
  const hasEnd = hasActions || list !== undefined;
  const named = columns.flatMap(column => {
    const id = idOf(column);
    return id === undefined ? [] : [{ id, label: column.label }];
  });
  const done = () => {
    selection.clear();
    acted?.();
  };
  const classOf = ({ isExtra, isSecondary, isAmount }: Column<Row>, index: number) => {
    if (index === 0) return styles.name;
    if (isExtra) return styles.wide;
    return isSecondary ? styles.secondary : isAmount ? styles.amount : undefined;
  };
  return (
    <div className={styles.dataTable} data-actions={hasActions || undefined}>
      <Order columns={columns} {...sorting} />
      {hasActions && (
        <Selected
          {...selection}
          actions={actions}
          choose={action => setChosen({ action, rows: selection.selected })}
        />
      )}
      <div className={`${shared.surface} ${styles.body}`}>
        <table className={table.table} ref={element}>
          <thead>
            <tr>
              {hasActions && (
                <th className={styles.select}>
                  <input type="checkbox" aria-label={t`Select all rows`} {...selection.all} />
                </th>
              )}
              {columns.map((column, index) => (
                <Head
                  key={column.label}
                  {...column}
                  {...sorting}
                  className={classOf(column, index)}
                  resizing={list === undefined ? undefined : resizing}
                />
              ))}
              {hasEnd && (
                <th className={styles.actions}>
                  {hasActions && <VisuallyHidden>{t`Actions`}</VisuallyHidden>}
                  {list !== undefined && <ColumnWidths columns={named} resizing={resizing} />}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.id} data-selected={selection.has(row) || undefined} onClick={openRow}>
                {hasActions && (
                  <td className={styles.select}>
                    <input
                      type="checkbox"
                      aria-label={t`Select ${{ name: nameOf(row) }}`}
                      checked={selection.has(row)}
                      onChange={() => selection.toggle(row)}
                    />
                  </td>
                )}
                {columns.map((column, index) => (
                  <td
                    key={column.label}
                    data-label={column.label}
                    data-opens-row={index === 0 || undefined}
                    className={classOf(column, index)}
                  >
                    {column.cell(row)}
                  </td>
                ))}
                {hasEnd && (
                  <td className={styles.actions}>
                    <RowMenu
                      row={row}
                      name={nameOf(row)}
                      actions={actions}
                      choose={action => setChosen({ action, rows: [row] })}
                    />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {chosen && (
        <Suspense>
          <ActionDialog {...chosen} nameOf={nameOf} done={done} close={() => setChosen(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

/**
 * Opens what the link of a row leads to. The whole row is a target for the pointer alone: the keyboard and screen readers have the link.
 * Other controls in the row do their own, and a text that was selected stays.
 */
export function openRow({
  target,
  currentTarget,
  ctrlKey,
  metaKey,
  shiftKey,
}: MouseEvent<HTMLElement>): void {
  const link = currentTarget.querySelector('[data-opens-row] a');
  const control = 'a, button, input, select, textarea, label, summary, [popover]';
  if (link === null || !(target instanceof Element) || !currentTarget.contains(target)) return;
  if (target.closest(control) !== null) return;
  if (window.getSelection()?.isCollapsed === false) return;
  const keys = { ctrlKey, metaKey, shiftKey };
  link.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true, ...keys }));
}

const idOf = ({ id, field }: Pick<Column<never>, 'id' | 'field'>) => id ?? field;

interface HeadProps extends Sorting, Pick<Column<never>, 'label' | 'field' | 'id'> {
  readonly className: string | undefined;
  readonly resizing: ReturnType<typeof useColumnWidths> | undefined;
}

function Head({ resizing, className = '', ...column }: HeadProps) {
  const { label, field, sort, sortBy } = column;
  const id = idOf(column);
  const descending = sort === `-${field}`;
  const sorted = descending || sort === field;
  const order = sorted ? (descending ? 'descending' : 'ascending') : 'none';
  return (
    <th
      aria-sort={field === undefined ? undefined : order}
      data-column={id}
      className={`${styles.head} ${className}`}
      style={{ width: resizing?.widthOf(id) }}
    >
      {field === undefined ? (
        label
      ) : (
        <button
          type="button"
          className={shared.plain}
          onClick={() => sortBy?.(sort === field ? `-${field}` : field)}
        >
          {label}
          <Icon name={sorted ? (descending ? 'down' : 'up') : 'sort'} size={14} />
        </button>
      )}
      {resizing && id !== undefined && <WidthHandle column={id} resize={resizing.resize} />}
    </th>
  );
}

/** Chooses the order of cards, which have no heads of columns. */
function Order<Row>({ columns, sort, sortBy }: Pick<Props<Row>, 'columns' | 'sort' | 'sortBy'>) {
  const { t } = useLingui();
  if (columns.every(({ field }) => field === undefined)) return null;
  return (
    <NativeSelect
      className={styles.order}
      size="sm"
      aria-label={t`Sort order`}
      value={sort}
      data={columns.flatMap(({ field, label }) =>
        field === undefined
          ? []
          : [
              { value: field, label: t`${label}, ascending` },
              { value: `-${field}`, label: t`${label}, descending` },
            ],
      )}
      onChange={({ currentTarget }) => sortBy?.(currentTarget.value)}
    />
  );
}
