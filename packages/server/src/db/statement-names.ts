/** Most texts that are prepared: each session keeps the plan of each for good. */
const maxNames = 400;

const names = new Map<string, string>();

/** The name under which sessions keep the plan of a text; undefined when there are enough of them. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxNames) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
