import { type Fragment, join, raw, sql } from './sql.ts';

/** A column of rows that go to the database, of a type of PostgreSQL. */
interface InputColumn {
  readonly name: string;
  readonly type: string;
  readonly values: unknown[];
}

/** The rows `i` of these columns, from one array each, so that the text of the statement does not depend on their number. */
export function inputRows(columns: readonly InputColumn[]): Fragment {
  const arrays = columns.map(({ values, type }) => sql`${values}::${raw(type)}[]`);
  return sql`unnest(${join(arrays)}) AS i (${raw(columns.map(({ name }) => name).join(', '))})`;
}
