// cspell:disable
import type { Delimiter, Fault } from '../../src/index.ts';
import { canEncode, encode, type MadeEncoding, readable, unreadable } from './encodings.ts';
import { Random } from './random.ts';
import { columns, type Kind, type MadeCell, makeCell } from './values.ts';

/** A damage of a file, and its place. `row` counts the rows below the header from 0. */
type Damage =
  | { readonly code: 'unknown_encoding' }
  | { readonly code: 'surplus_text'; readonly row: number; readonly position: number }
  | { readonly code: Fault['code']; readonly row: number; readonly line: number; readonly column: number };

export interface MadeFile {
  readonly bytes: Buffer;
  /** Its text, without a byte order mark. A byte that is not UTF-8 is U+FFFD. */
  readonly text: string;
  readonly delimiter: Delimiter;
  /** Whether its first line names the delimiter. */
  readonly hasSeparatorLine: boolean;
  readonly header: readonly string[];
  readonly headerLine: number;
  readonly kinds: readonly Kind[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly MadeCell[] }[];
  readonly damage: Damage | null;
}

/** Writes rows, and knows line and column of what comes next. */
class Writer {
  text = '';
  readonly delimiter: Delimiter;
  readonly #random: Random;
  readonly #lineBreaks: readonly string[];
  readonly #quotes: 'all' | 'needed' | 'some';
  readonly #hasBlanks: boolean;

  constructor(random: Random, delimiter: Delimiter) {
    this.delimiter = delimiter;
    this.#random = random;
    this.#lineBreaks = random.pick([
      ['\r\n'],
      ['\r\n'],
      ['\n'],
      ['\r'],
      ['\r\n', '\n'],
      ['\n', '\r', '\r\n'],
    ]);
    this.#quotes = random.pick(['all', 'needed', 'some']);
    this.#hasBlanks = random.once(5);
  }

  get place(): { line: number; column: number } {
    const lines = this.text.split(/\r\n|\n|\r/);
    return { line: lines.length, column: lines.at(-1)!.length + 1 };
  }

  endLine(): void {
    this.text += this.#random.pick(this.#lineBreaks);
  }

  writeRow(cells: readonly string[]): void {
    this.text += cells.map(cell => this.#quote(cell)).join(this.delimiter);
    this.endLine();
  }

  /** Rows without text, as spreadsheets leave them between and below others. */
  writeBlankRows(width: number): void {
    for (let count = this.#random.pick([0, 0, 0, 1, 3]); count > 0; count--) {
      this.text += this.#random.pick(['', this.delimiter.repeat(width - 1), '  ', ` ${this.delimiter}`]);
      this.endLine();
    }
  }

  #quote(cell: string): string {
    const isProtected = /^="\d+"$/.test(cell);
    const isNeeded =
      cell.includes(this.delimiter) || /[\r\n]/.test(cell) || (cell.includes('"') && !isProtected);
    if (!isNeeded && this.#quotes !== 'all' && !(this.#quotes === 'some' && this.#random.once(3)))
      return cell;
    const blank = this.#hasBlanks ? this.#random.pick(['', ' ', '  ']) : '';
    return `${blank}"${cell.replaceAll('"', '""')}"${blank}`;
  }
}

/** Damages of a last cell: its text, and the position of the fault in it. */
const faultyCells: readonly (readonly [Fault['code'], text: string, position: number])[] = [
  ['unclosed_quote', '"offen', 0],
  ['text_after_quote', '"zu" viel', 5],
  ['quote_inside', '5" Rohr', 1],
  ['invalid_byte', 'K\uFFFDthe', 1],
];

const titles = [
  'Mitarbeiterliste Stand 01.11.2026',
  'Firma: Muster GmbH, Bonn',
  'Bericht "Personal"',
  'Export',
  'Seite 1; 2',
];

/** Makes the file of a seed. Three in ten are damaged. */
export function makeFile(seed: number): MadeFile {
  const random = new Random(seed);
  const writer = new Writer(random, random.pick([';', ';', ';', ',', '\t', '|'] as const));
  const chosen = chooseColumns(random);
  const hasSeparatorLine = random.once(6);
  if (hasSeparatorLine) {
    writer.text += random.pick([`sep=${writer.delimiter}`, `"sep=${writer.delimiter}"`]);
    writer.endLine();
  }
  writeTitles(writer, random, chosen.length);
  const headerLine = writer.place.line;
  writer.writeRow(chosen.map(([name]) => name));
  const kinds = chosen.map(([, , kind]) => kind);
  const hasForeignEncoding = random.once(20);
  const count = random.integer(1, 12);
  const rows = Array.from({ length: count }, () => {
    writer.writeBlankRows(kinds.length);
    const { line } = writer.place;
    const cells = kinds.map(kind => makeCell(kind, random));
    if (cells.every(({ written }) => written.trim() === '')) cells[0] = { written: 'x', meant: 'x' };
    if (hasForeignEncoding) cells[kinds.indexOf('text')] = { written: 'Jürgen', meant: 'Jürgen' };
    writer.writeRow(
      fitLoosely(
        cells.map(({ written }) => written),
        random,
      ),
    );
    return { line, cells };
  });
  const damage = random.once(4) ? writeDamagedRow(writer, random, rows.length, kinds) : null;
  if (damage?.code !== 'unclosed_quote') writer.writeBlankRows(kinds.length);
  if (random.once(4)) writer.text = writer.text.replace(/(?:\r\n|\n|\r)$/, '');
  const made = {
    delimiter: writer.delimiter,
    hasSeparatorLine,
    header: chosen.map(([name]) => name),
    headerLine,
    kinds,
    rows,
  };
  return { ...made, ...encodeFile(writer.text, damage, hasForeignEncoding, random) };
}

/** Two names that are known exactly, and others in any order. One can occur twice. */
function chooseColumns(random: Random): (typeof columns)[number][] {
  const [first, second] = [columns[1]!, columns[2]!];
  const others = columns.filter(column => column !== first && column !== second && !random.once(3));
  const chosen = [first, second, ...others, ...(random.once(6) ? [columns[3]!] : [])];
  return chosen
    .map(column => [random.next(), column] as const)
    .sort(([a], [b]) => a - b)
    .map(([, column]) => column);
}

function writeTitles(writer: Writer, random: Random, width: number): void {
  for (let count = random.pick([0, 0, 0, 1, 2, 3]); count > 0; count--) {
    const title = random.pick(titles);
    writer.writeRow(random.once(2) ? [title] : [title, ...Array.from({ length: width - 1 }, () => '')]);
    writer.writeBlankRows(width);
  }
}

/** The cells without empty ones at the end, or with more of them. */
function fitLoosely(cells: readonly string[], random: Random): string[] {
  const last = cells.findLastIndex(cell => cell !== '');
  return random.pick([
    [...cells],
    [...cells],
    cells.slice(0, last + 1),
    [...cells, ''],
    [...cells, '', '  '],
  ]);
}

function writeDamagedRow(writer: Writer, random: Random, row: number, kinds: readonly Kind[]): Damage {
  const { line } = writer.place;
  if (random.once(4)) {
    writer.writeRow([...kinds.map(() => 'x'), '', 'zu viel']);
    return { code: 'surplus_text', row, position: kinds.length + 2 };
  }
  const [code, text, position] = random.pick(faultyCells);
  writer.text += `x${writer.delimiter}`;
  const { column } = writer.place;
  writer.text += text;
  writer.endLine();
  return { code, row, line, column: column + position };
}

function encodeFile(
  text: string,
  damage: Damage | null,
  hasForeignEncoding: boolean,
  random: Random,
): Pick<MadeFile, 'bytes' | 'text' | 'damage'> {
  if (damage?.code === 'invalid_byte') {
    // Without a mark, UTF-8 needs a character that proves it.
    const encoding =
      /[\u0080-\u00FF\u0800-\uFFFC]/.test(text) && random.once(2) ? 'utf-8' : 'utf-8 with mark';
    const [before, after] = [text.lastIndexOf('\uFFFD'), text.lastIndexOf('\uFFFD') + 1];
    const bytes = [
      encode(text.slice(0, before), encoding),
      Buffer.from([0xe4]),
      encode(text.slice(after), 'utf-8'),
    ];
    return { bytes: Buffer.concat(bytes), text, damage };
  }
  const foreign = random.pick(unreadable);
  if (hasForeignEncoding && canEncode(text, foreign))
    return { bytes: encode(text, foreign), text, damage: { code: 'unknown_encoding' } };
  const encoding: MadeEncoding = random.pick(readable);
  // A text of a wrong encoding that is Windows-1252 once more has the bytes of the right one.
  const isLost = encoding === 'windows-1252' && (!canEncode(text, encoding) || /[ÃÂŸ]/.test(text));
  return { bytes: encode(text, isLost ? 'utf-8' : encoding), text, damage };
}
