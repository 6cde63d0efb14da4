import { Box, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsWide } from '../wide.ts';
import { OrderChoice } from './order-choice.tsx';
import { SortHeader, type Sorting } from './sort-header.tsx';

/** A column of a list. */
export interface Column<Row> {
  readonly label: string;
  /** The field that the service sorts it by; absent: it does not. */
  readonly field?: string;
  readonly cell: (row: Row) => ReactNode;
}

interface Props<Row> extends Sorting {
  readonly rows: readonly Row[];
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[];
}

/** The rows of a list: a table, or on a narrow page a card for each. */
export function DataTable<Row extends { readonly id: string }>(props: Props<Row>) {
  return useIsWide() ? <Wide {...props} /> : <Cards {...props} />;
}

function Wide<Row extends { readonly id: string }>({ rows, columns, sort, sortBy }: Props<Row>) {
  return (
    <div className="surface">
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ label, field }) =>
              field === undefined ? (
                <th key={label}>{label}</th>
              ) : (
                <SortHeader key={label} {...{ field, label, sort, sortBy }} />
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.id}>
              {columns.map(({ label, cell }) => (
                <td key={label}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cards<Row extends { readonly id: string }>({ rows, columns, sort, sortBy }: Props<Row>) {
  const [head, ...rest] = columns;
  const fields = columns.flatMap(({ label, field }) => (field === undefined ? [] : [{ field, label }]));
  return (
    <Stack gap="sm">
      <OrderChoice fields={fields} sort={sort} sortBy={sortBy} />
      {rows.map(row => (
        <Box key={row.id} className="surface" p="md">
          {head!.cell(row)}
          <dl className="card-facts">
            {rest.map(({ label, cell }) => (
              <div key={label}>
                <Text component="dt" size="xs" c="dimmed">
                  {label}
                </Text>
                <dd>{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </Box>
      ))}
    </Stack>
  );
}
