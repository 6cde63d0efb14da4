/** A value in a cell of a table. */
export type Cell = string | number | boolean | null;

/** Renders an instant (ISO 8601, UTC) to the minute. */
export function minute(instant: string): string {
  return instant.slice(0, 16).replace('T', ' ');
}

/** `1 order`, `2 orders`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** Max characters of a cell; the rest shows in `--json` and in `show`. */
const maxCell = 48;

/** Renders rows below the names of their columns; numbers are aligned to the right. */
export function table(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map(row => row.map(cell => shorten(textOf(cell))));
  const widths = columns.map((name, column) =>
    Math.max(width(name), ...cells.map(row => width(row[column]!))),
  );
  const isRight = columns.map((_, column) => rows.some(row => isNumber(row[column]!)));
  const line = (row: readonly string[]) =>
    row
      .map((text, column) => {
        const space = ' '.repeat(widths[column]! - width(text));
        return isRight[column] ? space + text : text + space;
      })
      .join('  ')
      .trimEnd();
  return [line(columns), ...cells.map(line)].join('\n');
}

/** Amounts of money are strings. */
function isNumber(cell: Cell): boolean {
  return typeof cell === 'number' || (cell !== null && /^-?\d+\.\d\d$/.test(String(cell)));
}

/** Renders items as a table, with a function for each column; `empty` where there are none. */
export function listTable<Item>(
  items: readonly Item[],
  empty: string,
  columns: Readonly<Record<string, (item: Item) => Cell>>,
): string {
  if (items.length === 0) return empty;
  const cells = Object.values(columns);
  return table(
    Object.keys(columns),
    items.map(item => cells.map(cell => cell(item))),
  );
}

/** Renders names with their values, a line each; lists and objects are below their name, indented. */
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
  if (value === null || typeof value !== 'object') return textOf(value as Cell);
  const inner = `${indent}  `;
  const parts = Array.isArray(value) ? (value as unknown[]) : [value];
  if (parts.length === 0) return '-';
  return parts
    .map(part =>
      part !== null && typeof part === 'object'
        ? `\n${sheet(part as Record<string, unknown>, inner)}`
        : `\n${inner}${textOf(part as Cell)}`,
    )
    .join('\n');
}

function textOf(cell: Cell): string {
  if (cell === null) return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  // A terminal would execute control characters, such as those of an escape sequence.
  return String(cell).replaceAll(/\p{Cc}+/gu, ' ');
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > maxCell ? `${characters.slice(0, maxCell - 1).join('')}…` : text;
}

/** Returns the columns of a terminal that a text takes: wide letters take two, combining marks none. */
function width(text: string): number {
  const marks = text.match(/\p{Mn}/gu)?.length ?? 0;
  const wide =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  return [...text].length - marks + wide;
}
