import type { Parameters } from '../database/parameters.ts';
import type { Sort } from './check.ts';
import { resolveField } from './compile.ts';
import { sqlTypes } from './literals.ts';
import type { CollectionTable } from './table.ts';

/** Where a page ended: the sort value of its last row, as text, and the identifier. */
export interface Position {
  readonly value: string | null;
  readonly id: string;
}

/**
 * The order of a list (decisions.md section 3): nulls first ascending and last descending, ties broken by identifier in
 * the direction of the sort. Text sorts by code point, since its columns hold folded text in collation "C".
 */
export interface Order {
  /** The sort column; null for the identifier alone. */
  readonly column: string | null;
  /** For ORDER BY, on the columns of the table. */
  readonly clause: string;
  /** For ORDER BY, on rows of (id, sort_key). */
  readonly keyClause: string;
  /** The expression of `sort_key`. */
  readonly key: string;
  /** What turns `sort_key` into the text of a `Position`; null for the identifier alone. */
  readonly keyText: string | null;
  /**
   * The rows behind a position: one predicate, or two of which the rows of the first come before those of the second, so
   * that each of them is a range of an index.
   */
  behind(position: Position, parameters: Parameters): string[];
}

/** The order that a checked sort stands for. */
export function orderOf(sort: Sort, table: CollectionTable): Order {
  const id = resolveField(table, 'id').column.name;
  const direction = sort.descending ? ' DESC' : '';
  const comparison = sort.descending ? '<' : '>';
  if (sort.field.name === 'id')
    return {
      column: null,
      clause: `${id}${direction}`,
      keyClause: `id${direction}`,
      key: 'NULL::text',
      keyText: null,
      behind: (position, parameters) => [`${id} ${comparison} ${parameters.add(position.id, 'text')}`],
    };
  const { field, column } = resolveField(table, sort.field.name);
  const nulls = !field.nullable ? '' : sort.descending ? ' NULLS LAST' : ' NULLS FIRST';
  return {
    column: column.name,
    clause: `${column.name}${direction}${nulls}, ${id}${direction}`,
    keyClause: `sort_key${direction}${nulls}, id${direction}`,
    key: column.name,
    keyText:
      field.type === 'date-time'
        ? `to_char(sort_key AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
        : 'sort_key::text',
    behind(position, parameters) {
      const name = column.name;
      if (position.value === null) {
        const ties = `${name} IS NULL AND ${id} ${comparison} ${parameters.add(position.id, 'text')}`;
        return sort.descending ? [ties] : [ties, `${name} IS NOT NULL`];
      }
      const value = field.type === 'boolean' ? position.value === 'true' : position.value;
      const row = `${parameters.add(value, sqlTypes[field.type])}, ${parameters.add(position.id, 'text')}`;
      const later = `(${name}, ${id}) ${comparison} (${row})`;
      return sort.descending && field.nullable ? [later, `${name} IS NULL`] : [later];
    },
  };
}
