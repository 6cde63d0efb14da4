/** What a cell shows. */
export type Cell = string | number | boolean | null;

/** An instant (ISO 8601, UTC) to the minute. */
export function minute(instant: string): string {
  return instant.slice(0, 16).replace('T', ' ');
}

/** Longest text of a cell; the rest shows in `--json` and in `show`. */
const cellMaximum = 48;

/** Rows below the names of their columns, for people at a terminal; numbers stand on the right. */
export function table(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map(row => row.map(cell => shortened(shown(cell))));
  const widths = columns.map((name, column) =>
    Math.max(width(name), ...cells.map(row => width(row[column]!))),
  );
  const right = columns.map((_, column) => rows.some(row => typeof row[column] === 'number'));
  const line = (row: readonly string[]) =>
    row
      .map((text, column) => {
        const space = ' '.repeat(widths[column]! - width(text));
        return right[column] ? space + text : text + space;
      })
      .join('  ')
      .trimEnd();
  return [line(columns), ...cells.map(line)].join('\n');
}

/** Names with their values, a line each; what is a list or an object stands below its name. */
export function sheet(values: Readonly<Record<string, unknown>>, indent = ''): string {
  const size = Math.max(...Object.keys(values).map(name => name.length));
  return Object.entries(values)
    .map(([name, value]) => {
      const text = valueText(value, indent);
      return text.startsWith('\n')
        ? `${indent}${name}${text}`
        : `${indent}${name.padEnd(size)}  ${text}`.trimEnd();
    })
    .join('\n');
}

function valueText(value: unknown, indent: string): string {
  if (value === null || typeof value !== 'object') return shown(value as Cell);
  const inner = `${indent}  `;
  const parts = Array.isArray(value) ? (value as unknown[]) : [value];
  if (parts.length === 0) return '-';
  return parts
    .map(part =>
      part !== null && typeof part === 'object'
        ? `\n${sheet(part as Record<string, unknown>, inner)}`
        : `\n${inner}${shown(part as Cell)}`,
    )
    .join('\n');
}

function shown(cell: Cell): string {
  if (cell === null) return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  // What a terminal would take for an order, such as an escape, is not passed on.
  return String(cell).replaceAll(/\p{Cc}+/gu, ' ');
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > cellMaximum ? `${characters.slice(0, cellMaximum - 1).join('')}…` : text;
}

/** Columns of a terminal: wide letters take two, combining marks none. */
function width(text: string): number {
  let columns = 0;
  for (const character of text)
    columns += /\p{Mn}/u.test(character)
      ? 0
      : /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(character)
        ? 2
        : 1;
  return columns;
}
