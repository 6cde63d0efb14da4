import { allOf, type Fragment, raw, sql } from '../db/sql.ts';
import type { CheckedList } from './check.ts';
import { compileFilter } from './compile.ts';
import type { ReadRows, RowList } from './rows.ts';
import { wholeFilter } from './whole-filter.ts';

/** Rows that one statement looks at, so that none takes long, however few of them the filter selects. */
const sliceSize = 2000;

/** What every row of a list has that goes out as a whole. */
interface Instanted {
  readonly id: string;
  readonly created_at: Date;
}

/**
 * All items of a list that its filter selects, the oldest first, in slices: one is read when it is asked for. `rows` selects all that
 * the caller may see, with `created_at` in milliseconds, and has an index of that and the identifier.
 * @throws ApiError 422 VALIDATION_ERROR for a literal that is no value of its field, or bounds in the wrong order.
 */
export async function* slicesOfRows<Row extends object, Item>(
  { table, item }: RowList<Row, Item>,
  rows: Fragment,
  { filter, ...bounds }: Pick<CheckedList, 'filter' | 'createdAtFrom' | 'createdAtTo'>,
  read: ReadRows,
): AsyncGenerator<Item[], void> {
  const within = wholeFilter({ ...bounds, filter: null });
  const range = within === null ? [] : [compileFilter(within, table)];
  const selected = filter === null ? sql`true` : compileFilter(filter, table);
  for (let after: Instanted | undefined; ;) {
    const behind = after
      ? [sql`(created_at, id) > (${after.created_at}::timestamptz, ${after.id}::text)`]
      : [];
    const conditions = [...range, ...behind];
    const where = conditions.length === 0 ? sql`` : sql` WHERE ${allOf(conditions)}`;
    const found = await read<Row & Instanted & { selected: boolean | null }>(sql`
      SELECT rows.*, ${selected} AS selected FROM (${rows}) AS rows${where}
      ORDER BY created_at, id ${raw(`LIMIT ${sliceSize}`)}`);
    yield found.filter(row => row.selected).map(row => item(row));
    if (found.length < sliceSize) return;
    after = found.at(-1)!;
  }
}
