import tag, { type RawValue, type Sql, empty, join, raw } from 'sql-template-tag';

/**
 * Immutable SQL with its values: part of a statement, or all of it.
 * A `${…}` is another fragment, or a value that is sent as a parameter. Text of a request never becomes SQL.
 */
export type Fragment = Sql;

/** Example: sql`SELECT doc FROM ${raw(table)} WHERE id = ${id}`. */
export const sql: (strings: TemplateStringsArray, ...values: readonly RawValue[]) => Fragment = tag;

export { empty, join, raw };

/** Quotes the name of a table or a column. */
export function identifier(name: string): Fragment {
  return raw(`"${name.replaceAll('"', '""')}"`);
}

/** Joins at least one fragment with `AND`. */
export function allOf(conditions: readonly Fragment[]): Fragment {
  return join(conditions, ' AND ');
}

/** The columns and values of an INSERT: `(a, b) VALUES ($1, $2)`. The names must come from code, never from a request. */
export function insertion(row: Readonly<Record<string, unknown>>): Fragment {
  const names = Object.keys(row);
  return sql`(${raw(names.join(', '))}) VALUES (${join(names.map(name => row[name]))})`;
}

/** The assignments of an UPDATE: `a = $1, b = $2`. The names must come from code, never from a request. */
export function assignments(row: Readonly<Record<string, unknown>>): Fragment {
  return join(
    Object.entries(row).map(([name, value]) => sql`${raw(name)} = ${value}`),
    ', ',
  );
}

/** Matches quoted texts, quoted names, function bodies and comments first, because their semicolons end no statement. */
const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|[^'"$;/-]+|[\s\S]/g;

/** Splits an SQL text into its statements, without semicolons. Text that is only a comment is skipped. */
export function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let [statement, isEmpty] = ['', true];
  for (const [part] of `${text};`.matchAll(token)) {
    if (part !== ';') {
      statement += part;
      isEmpty &&= /^(\s*|--.*|\/\*[\s\S]*)$/.test(part);
      continue;
    }
    if (!isEmpty) statements.push(statement.trim());
    [statement, isEmpty] = ['', true];
  }
  return statements;
}

type SqlType = 'text' | 'boolean' | 'date' | 'timestamptz' | 'float8' | 'numeric' | 'bigint';

export type WriteValue = (value: unknown, type: SqlType | `${SqlType}[]`) => Fragment;

/** A parameter that the planner may use. */
export const plain: WriteValue = (value, type) => sql`${value}::${raw(type)}`;

/**
 * Wraps a value in a sub-select to hide it from the planner, for prepared statements with one good plan for all values. Otherwise PostgreSQL
 * replans for as long as a custom plan seems slightly cheaper than the generic one. The outer cast is for `ANY`, which would otherwise read
 * the sub-select as a list of rows. Never use it for an organization: a distributed database needs that value to choose the node.
 */
export const hidden: WriteValue = (value, type) => sql`(SELECT ${value}::${raw(type)})::${raw(type)}`;
