import { type Fragment, join, raw, sql } from './sql.ts';

/** A column of rows that are inserted, of a type of PostgreSQL: a value for each, or one for all of them. */
export type InsertedColumn = { readonly name: string; readonly type: string } & (
  { readonly values: readonly unknown[] } | { readonly value: unknown }
);

/** Most values of rows that are written as such: one employee, a few counters. */
const fewValues = 30;

/**
 * Inserts so many rows. A few are written as their values, which is the one form that a distributed database hands to a shard as it
 * is; more of them as an array for each column, so that there are few texts of the statement. The elements of a `text[]` hold no comma.
 */
export function insertRows(table: string, columns: readonly InsertedColumn[], count: number): Fragment {
  const into = sql`INSERT INTO ${raw(table)} (${raw(columns.map(({ name }) => name).join(', '))})`;
  return count * columns.length <= fewValues
    ? sql`${into} VALUES ${join(Array.from({ length: count }, (_, row) => valuesOf(columns, row)))}`
    : sql`${into} SELECT ${join(columns.map(selected))} FROM unnest(${join(columns.flatMap(arrayOf))}) AS i (${namesOf(columns)})`;
}

function valuesOf(columns: readonly InsertedColumn[], row: number): Fragment {
  const values = columns.map(
    column => sql`${'values' in column ? column.values[row] : column.value}::${raw(column.type)}`,
  );
  return sql`(${join(values)})`;
}

function selected(column: InsertedColumn): Fragment {
  if ('value' in column) return sql`${column.value}::${raw(column.type)}`;
  return raw(column.type === 'text[]' ? `string_to_array(i.${column.name}, ',')` : `i.${column.name}`);
}

/** The values of a column as an array; those that are arrays themselves as texts, since `unnest` takes arrays of arrays apart. */
function arrayOf(column: InsertedColumn): Fragment[] {
  if ('value' in column) return [];
  if (column.type !== 'text[]') return [sql`${[...column.values]}::${raw(column.type)}[]`];
  return [sql`${column.values.map(value => (value as readonly string[]).join(','))}::text[]`];
}

function namesOf(columns: readonly InsertedColumn[]): Fragment {
  return raw(columns.flatMap(column => ('values' in column ? [column.name] : [])).join(', '));
}
