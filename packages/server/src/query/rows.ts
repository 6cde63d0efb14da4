import { fieldsOf } from '@kontor/contract';
import type { Static, TObject } from 'typebox';
import { type Fragment, raw, sql, allOf } from '../db/sql.ts';
import { columnOf, type Row, renderRow } from '../lib/render-row.ts';
import type { CheckedList, CollectionTable, Position } from './check.ts';
import { compileFilter } from './compile.ts';
import { anyOf, orderOf, where } from './page-statement.ts';
import { combineFilter } from './list-filter.ts';

/**
 * A list of few rows, or of rows that clients do not poll. It is read from columns, without the documents, counters and caches of a
 * collection. Filters, order and pages work as in every list.
 */
export interface RowList<Item> {
  readonly table: CollectionTable;
  readonly item: (row: Row) => Item;
}

/** Declares a list. A field has the column of its name, unless `columns` names another: for text the folded one, which lists filter and sort by. */
export function defineRows<Schema extends TObject>(
  schema: Schema,
  columns: { readonly [Field in keyof Static<Schema>]?: string } = {},
): RowList<Static<Schema>> {
  const fields = fieldsOf(schema);
  const named: Readonly<Record<string, string | undefined>> = columns;
  const found = Array.from(
    fields.keys(),
    field => [field, { name: named[field] ?? columnOf(field) }] as const,
  );
  return {
    table: {
      table: 'rows',
      resourceType: '',
      fields,
      columns: new Map(found),
      withoutAccents: found.map(([, { name }]) => name).filter(name => name.startsWith('folded_')),
    },
    item: row => renderRow(schema, row),
  };
}

/** A pool. A page gets a session of its own: the statements behind it in a shared session would wait for it. */
export interface RowReader {
  rows<Found extends object>(
    statement: Fragment,
    how: { readonly shared: false; readonly signal?: AbortSignal },
  ): Promise<Found[]>;
}

interface Paged extends Row {
  readonly page_total: number;
  readonly page_row: boolean | null;
}

/**
 * Returns the JSON of a page (specification.md 3.1), total and items from one snapshot. `rows` selects all rows that the caller has access to.
 * @throws ApiError 422 VALIDATION_ERROR for a literal that is not a value of its field, or bounds in the wrong order
 */
export async function pageOfRows<Item>(
  { table, item }: RowList<Item>,
  rows: Fragment,
  { list, signal }: { readonly list: CheckedList; readonly signal?: AbortSignal | undefined },
  reader: RowReader,
): Promise<string> {
  const found = await reader.rows<Paged>(pageStatement(table, rows, list), {
    shared: false,
    ...(signal && { signal }),
  });
  const total = found[0]!.page_total;
  const items = found.filter(row => row.page_row).map(item);
  const { page, pageSize } = list;
  return JSON.stringify({
    page,
    pageSize,
    totalPages: Math.ceil(total / pageSize),
    totalElements: total,
    items,
  });
}

/** One row per item, or one row without an item; each has the total. `rows` appears twice, so that an index can return the page in order. */
function pageStatement(table: CollectionTable, rows: Fragment, list: CheckedList): Fragment {
  const filter = combineFilter(list);
  const where = filter === null ? sql`` : sql` WHERE ${compileFilter(filter, table)}`;
  const listed = sql`(${rows}) AS rows${where}`;
  const { clause } = orderOf(list.sort, table);
  const offset = BigInt(list.page - 1) * BigInt(list.pageSize);
  return sql`
    SELECT total.n AS page_total, page.*
    FROM (SELECT count(*)::int FROM ${listed}) AS total (n)
    LEFT JOIN (
      SELECT true AS page_row, rows.* FROM ${listed} ORDER BY ${clause} ${raw(`LIMIT ${list.pageSize} OFFSET ${offset}`)}
    ) AS page ON true ORDER BY ${clause}`;
}

/** Maximum rows that one statement reads, which bounds its time however few rows match the filter. */
const sliceSize = 2000;

interface Instanted extends Row {
  readonly id: string;
  readonly created_at: Date;
}

/**
 * Returns all items that the filter selects, in slices that are read on demand: in the order of the list, or oldest first if none is chosen.
 * `rows` selects all rows that the caller has access to. It needs `created_at` in milliseconds and an index on (created_at, id).
 * @throws ApiError 422 VALIDATION_ERROR for a literal that is not a value of its field, or bounds in the wrong order
 */
export function slicesOfRows<Item>(
  list: RowList<Item>,
  rows: Fragment,
  chosen: Pick<CheckedList, 'filter' | 'sort' | 'createdAtFrom' | 'createdAtTo'>,
  reader: RowReader,
): AsyncGenerator<Item[], void> {
  const { field, descending } = chosen.sort;
  const isUnordered = field.name === 'id' && !descending;
  return isUnordered ? oldestFirst(list, rows, chosen, reader) : inOrder(list, rows, chosen, reader);
}

/** A slice begins behind the last row of the one before. */
async function* inOrder<Item>(
  { table, item }: RowList<Item>,
  rows: Fragment,
  { sort, ...chosen }: Pick<CheckedList, 'filter' | 'sort' | 'createdAtFrom' | 'createdAtTo'>,
  reader: RowReader,
): AsyncGenerator<Item[], void> {
  const filter = combineFilter(chosen);
  const selected = filter === null ? null : compileFilter(filter, table);
  const order = orderOf(sort, table);
  for (let position: Position | undefined; ;) {
    const after = position === undefined ? null : anyOf(order.after(position));
    const slice = sql`
      SELECT slice.*, ${order.keyText ?? sql`NULL`} AS sort_text FROM (
        SELECT rows.*, ${order.key} AS sort_key FROM (${rows}) AS rows${where(selected, after)}
        ORDER BY ${order.clause} ${raw(`LIMIT ${sliceSize}`)}) AS slice
      ORDER BY ${order.keyClause}`;
    const found = await reader.rows<Row & { id: string; sort_text: string | null }>(slice, { shared: false });
    yield found.map(item);
    if (found.length < sliceSize) return;
    const { id, sort_text: value } = found.at(-1)!;
    position = { id, value };
  }
}

/** The rows that the filter does not select are read as well, so a statement takes no longer when few match. */
async function* oldestFirst<Item>(
  { table, item }: RowList<Item>,
  rows: Fragment,
  { filter, ...bounds }: Pick<CheckedList, 'filter' | 'createdAtFrom' | 'createdAtTo'>,
  reader: RowReader,
): AsyncGenerator<Item[], void> {
  const bounded = combineFilter({ ...bounds, filter: null });
  const range = bounded === null ? [] : [compileFilter(bounded, table)];
  const selected = filter === null ? sql`true` : compileFilter(filter, table);
  for (let after: Instanted | undefined; ;) {
    const continuation = after
      ? [sql`(created_at, id) > (${after.created_at}::timestamptz, ${after.id}::text)`]
      : [];
    const conditions = [...range, ...continuation];
    const where = conditions.length === 0 ? sql`` : sql` WHERE ${allOf(conditions)}`;
    const slice = sql`
      SELECT rows.*, ${selected} AS selected FROM (${rows}) AS rows${where}
      ORDER BY created_at, id ${raw(`LIMIT ${sliceSize}`)}`;
    const found = await reader.rows<Instanted & { selected: boolean | null }>(slice, { shared: false });
    yield found.filter(row => row.selected).map(item);
    if (found.length < sliceSize) return;
    after = found.at(-1)!;
  }
}
