import { type Fragment, join, raw, sql } from './sql.ts';

/** A column of inserted rows: one value per row, or one value for all rows. */
export type InsertedColumn = { readonly name: string; readonly type: string } & (
  { readonly values: readonly unknown[] } | { readonly value: unknown }
);

/** Returns a function that makes a column of a value of each row, by default a text. */
export function columnsOf<Row>(rows: readonly Row[]) {
  return (name: string, valueOf: (row: Row) => unknown, type = 'text'): InsertedColumn => ({
    name,
    type,
    values: rows.map(valueOf),
  });
}

/** Maximum values that are written as VALUES: enough for one employee or a few counters. */
const fewValues = 30;

/**
 * Returns an INSERT of rows; at least one column has a value per row. The elements of a `text[]` must not contain a comma. Few rows become
 * VALUES, the only form that a distributed database forwards to a shard unchanged. More rows become one array per column, which keeps the
 * number of statement texts small.
 */
export function insertRows(table: string, columns: readonly InsertedColumn[]): Fragment {
  const count = columns.find(column => 'values' in column)!.values.length;
  const isFew = count * columns.length <= fewValues;
  const rows = isFew ? listRows(columns, count) : selectRows(columns);
  return sql`INSERT INTO ${raw(table)} (${namesOf(columns)}) ${rows}`;
}

function listRows(columns: readonly InsertedColumn[], count: number): Fragment {
  const rows = Array.from({ length: count }, (_, row) => {
    const values = columns.map(column =>
      typed('values' in column ? column.values[row] : column.value, column.type),
    );
    return sql`(${join(values, ', ')})`;
  });
  return sql`VALUES ${join(rows, ', ')}`;
}

function selectRows(columns: readonly InsertedColumn[]): Fragment {
  const selected = columns.map(column => {
    if ('value' in column) return typed(column.value, column.type);
    return raw(column.type === 'text[]' ? `string_to_array(${column.name}, ',')` : column.name);
  });
  const listed = columns.filter(column => 'values' in column);
  const arrays = listed.map(({ type, values }) =>
    // `unnest` flattens nested arrays, so each inner array is sent as text.
    type === 'text[]' ? typed(values.map(String), type) : typed(values, `${type}[]`),
  );
  return sql`SELECT ${join(selected, ', ')} FROM unnest(${join(arrays, ', ')}) AS i (${namesOf(listed)})`;
}

function namesOf(columns: readonly InsertedColumn[]): Fragment {
  return raw(columns.map(({ name }) => name).join(', '));
}

function typed(value: unknown, type: string): Fragment {
  return sql`${value}::${raw(type)}`;
}
