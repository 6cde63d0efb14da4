import { type Fragment, plain, raw, sql } from '../db/sql.ts';
import type { Sort } from './check.ts';
import { sqlTypes } from './literals.ts';
import { type CollectionTable, resolveField } from './resource.ts';

/** The last row of a page: its sort value (as text) and identifier. */
export interface Position {
  readonly value: string | null;
  readonly id: string;
}

/**
 * The order of a list (specification.md 3.2): nulls first ascending and last descending, ties by identifier in the same direction.
 * Text sorts by code point, because its columns hold folded text in collation "C".
 */
export interface Order {
  /** The sort column; null when sorted by identifier. */
  readonly column: Fragment | null;
  /** For ORDER BY on the columns of the table. */
  readonly clause: Fragment;
  /** For ORDER BY on rows of (id, sort_key). */
  readonly keyClause: Fragment;
  readonly key: Fragment;
  /** Converts `sort_key` to the text of a {@link Position}; null when sorted by identifier. */
  readonly keyText: Fragment | null;
  /** The rows behind a position, as one or two predicates in order. Each is one range of an index. */
  after(position: Position): Fragment[];
}

export function orderOf(sort: Sort, table: CollectionTable): Order {
  const id = resolveField(table, 'id').column.name;
  const direction = sort.descending ? ' DESC' : '';
  const comparison = sort.descending ? '<' : '>';
  const later = raw(`${id} ${comparison}`);
  if (sort.field.name === 'id')
    return {
      column: null,
      clause: raw(`${id}${direction}`),
      keyClause: raw(`id${direction}`),
      key: sql`NULL::text`,
      keyText: null,
      after: position => [sql`${later} ${plain(position.id, 'text')}`],
    };
  const { field, column } = resolveField(table, sort.field.name);
  const name = raw(column.name);
  const type = sqlTypes[field.type];
  const nulls = !field.nullable ? '' : sort.descending ? ' NULLS LAST' : ' NULLS FIRST';
  return {
    column: name,
    clause: raw(`${column.name}${direction}${nulls}, ${id}${direction}`),
    keyClause: raw(`sort_key${direction}${nulls}, id${direction}`),
    key: name,
    keyText:
      type === 'timestamptz'
        ? sql`to_char(sort_key AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
        : sql`sort_key::text`,
    after(position) {
      if (position.value === null) {
        const ties = sql`${name} IS NULL AND ${later} ${plain(position.id, 'text')}`;
        return sort.descending ? [ties] : [ties, sql`${name} IS NOT NULL`];
      }
      const value = type === 'boolean' ? position.value === 'true' : position.value;
      const row = sql`${plain(value, type)}, ${plain(position.id, 'text')}`;
      const laterRow = sql`${raw(`(${column.name}, ${id}) ${comparison}`)} (${row})`;
      return sort.descending && field.nullable ? [laterRow, sql`${name} IS NULL`] : [laterRow];
    },
  };
}
