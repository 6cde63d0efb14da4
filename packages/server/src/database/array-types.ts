import { parse } from 'postgres-array';
import type { PostgresType } from 'postgres';

/** Object identifiers of the array types that statements have as parameters (pg_type.dat of PostgreSQL, which are fixed). */
const arrays = {
  smallint: 1005,
  text: 1009,
  bigint: 1016,
  float8: 1022,
  date: 1182,
  timestamptz: 1185,
  numeric: 1231,
};

/**
 * The array types for the driver. It can ask the server for them whenever it connects (`fetch_types`), but then nobody
 * handles a connection that is lost during the question, and the process goes down (`postgres` 3.4.9, connection.js,
 * `fetchArrayTypes`). An array of booleans it takes for a single one: such values go as text.
 */
export const arrayTypes: Record<string, PostgresType> = Object.fromEntries(
  Object.entries(arrays).map(([name, oid]) => [
    `${name}Array`,
    { to: oid, from: [oid], serialize: arrayText, parse: (text: string) => parse(text) },
  ]),
);

/** A one-dimensional array as PostgreSQL reads it (its documentation, 8.15.6); text is one already. */
function arrayText(values: readonly Element[] | string): string {
  return typeof values === 'string' ? values : `{${values.map(elementText).join(',')}}`;
}

type Element = string | number | bigint | null;

function elementText(value: Element): string {
  if (value === undefined) throw new TypeError('undefined is no element of an array for the database');
  return value === null ? 'NULL' : `"${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
