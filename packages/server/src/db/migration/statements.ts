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
