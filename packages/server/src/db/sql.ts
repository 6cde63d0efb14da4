import tag, { type RawValue, Sql, empty, join, raw } from 'sql-template-tag';

/**
 * A piece of SQL with its values, or a whole statement: immutable, and composed as text is. What stands in `${…}` is another
 * fragment, or a value that goes to the server as a parameter. Text of a request never becomes SQL.
 */
export type Fragment = Sql;

/** A fragment: sql`SELECT doc FROM ${table} WHERE id = ${id}`. */
export const sql: (strings: TemplateStringsArray, ...values: readonly RawValue[]) => Fragment = tag;

export { empty, join, raw };

/** A statement of these texts, with a value between each and the next. The texts are those of the code, never of a request. */
export function fragmentOf(strings: readonly string[], values: readonly unknown[]): Fragment {
  return new Sql(strings, values);
}

/** Fragments with `AND` between them; there is at least one. */
export function allOf(conditions: readonly Fragment[]): Fragment {
  return join(conditions, ' AND ');
}

/** The columns and values of a row for INSERT: `(a, b) VALUES ($1, $2)`. The names are those of the code, never of a request. */
export function insertion(row: Readonly<Record<string, unknown>>): Fragment {
  const names = Object.keys(row);
  return sql`(${raw(names.join(', '))}) VALUES (${join(names.map(name => row[name]))})`;
}

/** The columns and values of a row for UPDATE: `a = $1, b = $2`. The names are those of the code, never of a request. */
export function assignments(row: Readonly<Record<string, unknown>>): Fragment {
  return join(
    Object.entries(row).map(([name, value]) => sql`${raw(name)} = ${value}`),
    ', ',
  );
}

/** Quoted texts and names, bodies of functions and comments, in which a semicolon ends nothing; then the rest of SQL. */
const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|[^'"$;/-]+|[\s\S]/g;

/** The statements of an SQL text in order, without the semicolons between them; what is only a comment is none. */
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

/** The PostgreSQL types of values. */
type SqlType = 'text' | 'boolean' | 'date' | 'timestamptz' | 'float8' | 'numeric' | 'bigint';

/** Writes a value of a type into a statement. */
export type WriteValue = (value: unknown, type: SqlType | `${SqlType}[]`) => Fragment;

/** A value as a parameter, by which the statement may be planned. */
export const plain: WriteValue = (value, type) => sql`${value}::${raw(type)}`;

/**
 * A value in a sub-select, where the planner does not see it: for a prepared statement that has one good plan whatever the
 * values are. Else PostgreSQL plans it anew each time, as long as a plan for the values at hand seems a little cheaper than
 * the general one. The outer cast lets an array stand in `ANY`, which would read the sub-select as a list of rows. Never of an
 * organization: where tables are distributed, its value must be seen to know the node.
 */
export const hidden: WriteValue = (value, type) => sql`(SELECT ${value}::${raw(type)})::${raw(type)}`;
