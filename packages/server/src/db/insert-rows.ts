import { type Fragment, fragmentOf } from './sql.ts';

/** A column of rows that are inserted, of a type of PostgreSQL: a value for each, or one for all of them. */
export type InsertedColumn = { readonly name: string; readonly type: string } & (
  { readonly values: readonly unknown[] } | { readonly value: unknown }
);

/** Most values of rows that are written as such: one employee, a few counters. */
const fewValues = 30;

/**
 * Inserts so many rows. A few are written as their values, which is the one form that a distributed database hands to a shard as it
 * is; more of them as an array for each column, so that there are few texts of the statement. The elements of a `text[]` hold no comma.
 * It is put together in one go: to compose it of fragments took as long as all else of a small write (20 µs).
 */
export function insertRows(table: string, columns: readonly InsertedColumn[], count: number): Fragment {
  const statement = new Statement(`INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) `);
  if (count * columns.length <= fewValues) addValues(statement, columns, count);
  else addArrays(statement, columns);
  return statement.end();
}

/** The text of a statement and its values, as they follow each other. */
class Statement {
  readonly #strings: string[] = [];
  readonly #values: unknown[] = [];
  #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  add(text: string): void {
    this.#text += text;
  }

  value(value: unknown, type: string): void {
    this.#strings.push(this.#text);
    this.#values.push(value);
    this.#text = `::${type}`;
  }

  end(): Fragment {
    return fragmentOf([...this.#strings, this.#text], this.#values);
  }
}

function addValues(statement: Statement, columns: readonly InsertedColumn[], count: number): void {
  for (let row = 0; row < count; row++) {
    statement.add(row === 0 ? 'VALUES ' : ', ');
    for (const [index, column] of columns.entries()) {
      statement.add(index === 0 ? '(' : ', ');
      statement.value('values' in column ? column.values[row] : column.value, column.type);
    }
    statement.add(')');
  }
}

function addArrays(statement: Statement, columns: readonly InsertedColumn[]): void {
  for (const [index, column] of columns.entries()) {
    statement.add(index === 0 ? 'SELECT ' : ', ');
    if ('value' in column) statement.value(column.value, column.type);
    else statement.add(column.type === 'text[]' ? `string_to_array(${column.name}, ',')` : column.name);
  }
  const listed = columns.filter(column => 'values' in column);
  for (const [index, { type, values }] of listed.entries()) {
    statement.add(index === 0 ? ' FROM unnest(' : ', ');
    // `unnest` takes arrays of arrays apart, so those are texts.
    if (type === 'text[]')
      statement.value(
        values.map(value => (value as readonly string[]).join(',')),
        type,
      );
    else statement.value(values, `${type}[]`);
  }
  statement.add(`) AS i (${listed.map(({ name }) => name).join(', ')})`);
}
