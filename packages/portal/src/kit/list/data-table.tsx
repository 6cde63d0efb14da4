import { NativeSelect } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Icon } from '../icon.tsx';

/** A column of a list. */
export interface Column<Row> {
  readonly label: string;
  /** The field that the service sorts it by; absent: it does not. */
  readonly field?: string;
  /** Whether only a wide page shows it; a narrower one leaves it to the page of the row. */
  readonly isExtra?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

/** The order of a list, and what changes it. */
interface Sorting {
  /** A field, with a leading `-` for descending. */
  readonly sort: string;
  readonly sortBy: (sort: string) => void;
}

interface Props<Row> extends Sorting {
  readonly rows: readonly Row[];
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[];
}

/** The rows of a list: a table, which the style sheet lays out as a card for each row where it has too little width. */
export function DataTable<Row extends { readonly id: string }>({ rows, columns, ...sorting }: Props<Row>) {
  const classOf = ({ isExtra = false }: Column<Row>) => (isExtra ? 'if-wide' : undefined);
  return (
    <div className="data-table">
      <Order columns={columns} {...sorting} />
      <div className="surface">
        <table className="table">
          <thead>
            <tr>
              {columns.map(column => (
                <Head key={column.label} {...column} {...sorting} className={classOf(column)} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.id}>
                {columns.map(column => (
                  <td key={column.label} data-label={column.label} className={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

interface HeadProps extends Sorting {
  readonly label: string;
  readonly field?: string;
  readonly className: string | undefined;
}

function Head({ label, field, sort, sortBy, className }: HeadProps) {
  if (field === undefined) return <th className={className}>{label}</th>;
  const descending = sort === `-${field}`;
  const sorted = descending || sort === field;
  return (
    <th aria-sort={sorted ? (descending ? 'descending' : 'ascending') : 'none'} className={className}>
      <button type="button" onClick={() => sortBy(sort === field ? `-${field}` : field)}>
        {label}
        <Icon name={sorted ? (descending ? 'down' : 'up') : 'sort'} size={14} />
      </button>
    </th>
  );
}

/** Chooses the order of cards, which have no heads of columns. */
function Order<Row>({ columns, sort, sortBy }: Omit<Props<Row>, 'rows'>) {
  const { t } = useLingui();
  return (
    <NativeSelect
      className="card-order"
      size="sm"
      aria-label={t`Order`}
      value={sort}
      data={columns.flatMap(({ field, label }) =>
        field === undefined
          ? []
          : [
              { value: field, label: t`${label}, ascending` },
              { value: `-${field}`, label: t`${label}, descending` },
            ],
      )}
      onChange={({ currentTarget }) => sortBy(currentTarget.value)}
    />
  );
}
