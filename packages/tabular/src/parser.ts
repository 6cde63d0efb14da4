import { escapedByte } from './decode.ts';
import type { Dialect } from './dialect.ts';

/*
 * The parser reads each character once and is in one of these states:
 *
 * | state  | the parser is                     | `"`                         | delimiter   | line end      | other                                    |
 * | ------ | --------------------------------- | --------------------------- | ----------- | ------------- | ---------------------------------------- |
 * | start  | before the first character        | → quoted                    | ends a cell | ends a record | → plain                                  |
 * | plain  | in a cell without quotes          | value, fault `quote_inside` | ends a cell | ends a record | value                                    |
 * | quoted | in a cell after its opening quote | → closed                    | value       | value         | value                                    |
 * | closed | after a quote in a quoted cell    | value, → quoted             | ends a cell | ends a record | value, fault `text_after_quote`, → plain |
 *
 * "Value": the character becomes part of the value. The end of a cell or record leads to `start`.
 *
 * - A line ends with LF, CR LF or CR. A line without characters is not a record.
 * - A fault spoils its record and no other, and reading goes on. The cells of a record with a fault are those that Python's `csv` reads.
 * - A record with more than `maxCharacters` keeps its first cells. The rest of the record is read and not stored.
 * - A quoted value that does not end makes one record of the rest of the file, with the fault `unclosed_quote`.
 */
type State = 'start' | 'plain' | 'quoted' | 'closed';

/** Max cells of a record, as in Excel. */
export const maxCells = 16_384;

/** Max characters of a record. */
export const maxCharacters = 1024 * 1024;

/** A fault of a record. `line` and `column` count from 1, a column in UTF-16 code units. */
export interface Fault {
  readonly code:
    | 'quote_inside'
    | 'text_after_quote'
    | 'unclosed_quote'
    | 'invalid_byte'
    | 'too_many_cells'
    | 'too_many_characters';
  readonly line: number;
  readonly column: number;
  /** The character; of an invalid byte its number, such as `0xFC`. An unclosed quote is where it was opened. */
  readonly found: string;
}

export interface TableRecord {
  /** The line in which it begins. */
  readonly line: number;
  /** The record as it is written, without its line end. */
  readonly text: string;
  readonly cells: readonly string[];
  /** The first fault of each code. */
  readonly faults: readonly Fault[];
}

/** Some records. */
export interface Batch {
  readonly records: readonly TableRecord[];
  /** Where the next record begins: another reader can go on there. */
  readonly next: Position;
}

/** A place between records. */
export interface Position {
  /** Bytes before it. */
  readonly byte: number;
  /** The line that begins there, counted from 1. */
  readonly line: number;
}

const [lf, cr, quote] = [0x0a, 0x0d, 0x22];

/** Cells after which the parser stops, so that other work gets its turn. */
const sliceCells = 2000;

/** Splits text into records. */
export class RecordParser {
  readonly #delimiter: number;
  readonly #countBytes: (text: string) => number;
  #state: State = 'start';
  /** The text from the current record on. */
  #text = '';
  #at = 0;
  #line: number;
  #lineStart = 0;
  #recordLine: number;
  #recordStart = 0;
  #cells: string[] = [];
  #faults: Fault[] = [];
  /** The first characters of a record that has too many; null for others. */
  #kept: string | null = null;
  #cellStart = 0;
  /** The value of the cell before a fault in its quotes. */
  #value = '';
  #opening = { line: 0, column: 0 };
  #records: TableRecord[] = [];
  #cellCount = 0;
  #next: Position;
  /** The bytes before the position `#counted` of the text. */
  #bytes: number;
  #counted = 0;

  constructor(
    { delimiter }: Pick<Dialect, 'delimiter'>,
    from: Position,
    countBytes: (text: string) => number,
  ) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#countBytes = countBytes;
    this.#line = this.#recordLine = from.line;
    this.#bytes = from.byte;
    this.#next = from;
  }

  /** Adds text to read. */
  add(text: string): void {
    const isFirst = this.#bytes === 0 && this.#text === '';
    const used = this.#kept === null ? this.#recordStart : this.#at;
    this.#countTo(used);
    this.#text = this.#text.slice(used) + text;
    this.#counted = 0;
    this.#at -= used;
    this.#lineStart -= used;
    this.#recordStart -= used;
    this.#cellStart -= used;
    if (isFirst && text.startsWith('\ufeff'))
      this.#at = this.#lineStart = this.#recordStart = this.#cellStart = 1;
  }

  /** Reads on. Returns whether it stopped before the end of the text, because a slice is done. A last CR waits for its LF. */
  read(isLast: boolean): boolean {
    const text = this.#text;
    for (; this.#at < text.length; this.#at++) {
      if (this.#cellCount >= sliceCells) return true;
      const code = text.charCodeAt(this.#at);
      const isLineEnd = code === lf || code === cr;
      if (code === cr && this.#at + 1 === text.length && !isLast) return false;
      if (isLineEnd && this.#state !== 'quoted') {
        this.#endRecord();
        if (code === cr && text.charCodeAt(this.#at + 1) === lf) this.#at++;
        this.#beginRecord();
        continue;
      }
      if (this.#kept === null && this.#at - this.#recordStart >= maxCharacters) this.#cut();
      if (code === quote) this.#readQuote();
      else if (isLineEnd) this.#endQuotedLine(code);
      else if (code === this.#delimiter && this.#state !== 'quoted') this.#separate();
      else this.#readOther(code);
    }
    return false;
  }

  /** Ends the last record, which may lack a line end. */
  end(): void {
    if (this.#state === 'quoted') this.#fault('unclosed_quote', '"', this.#opening);
    this.#endRecord();
    this.#beginRecord();
  }

  /** Returns the records since the last call. */
  take(): Batch {
    this.#settle();
    const batch = { records: this.#records, next: this.#next };
    this.#records = [];
    this.#cellCount = 0;
    return batch;
  }

  #readQuote(): void {
    if (this.#state === 'start') {
      this.#opening = { line: this.#line, column: this.#column };
      this.#state = 'quoted';
    } else if (this.#state === 'plain') this.#fault('quote_inside', '"');
    else this.#state = this.#state === 'quoted' ? 'closed' : 'quoted';
  }

  #endQuotedLine(code: number): void {
    if (code === cr && this.#text.charCodeAt(this.#at + 1) === lf) return;
    this.#line++;
    this.#lineStart = this.#at + 1;
  }

  #separate(): void {
    this.#endCell();
    if (this.#cells.length === maxCells) this.#fault('too_many_cells', this.#text.charAt(this.#at));
  }

  #readOther(code: number): void {
    if (this.#state === 'start') this.#state = 'plain';
    else if (this.#state === 'closed') {
      this.#fault('text_after_quote', String.fromCodePoint(this.#text.codePointAt(this.#at)!).toWellFormed());
      if (this.#kept === null) this.#value = this.#valueUntil(this.#at);
      this.#cellStart = this.#at;
      this.#state = 'plain';
    }
    const byte = escapedByte(code, this.#text.charCodeAt(this.#at - 1));
    if (byte !== null) this.#fault('invalid_byte', `0x${byte.toString(16).toUpperCase()}`);
  }

  get #column(): number {
    return this.#at - this.#lineStart + 1;
  }

  #fault(code: Fault['code'], found: string, place = { line: this.#line, column: this.#column }): void {
    if (!this.#faults.some(fault => fault.code === code)) this.#faults.push({ code, ...place, found });
  }

  #valueUntil(end: number): string {
    if (this.#state === 'start') return '';
    if (this.#state === 'plain') return this.#value + this.#text.slice(this.#cellStart, end);
    const inside = this.#text.slice(this.#cellStart + 1, this.#state === 'closed' ? end - 1 : end);
    return inside.replaceAll('""', '"');
  }

  #endCell(): void {
    if (this.#kept === null && this.#cells.length < maxCells) this.#cells.push(this.#valueUntil(this.#at));
    this.#cellCount++;
    this.#state = 'start';
    this.#value = '';
    this.#cellStart = this.#at + 1;
  }

  #endRecord(): void {
    if (this.#state === 'start' && this.#cells.length === 0 && this.#kept === null) return;
    this.#endCell();
    const hasInvalid = this.#faults.some(({ code }) => code === 'invalid_byte');
    const readable = (text: string) => (hasInvalid ? text.toWellFormed() : text);
    this.#records.push({
      line: this.#recordLine,
      text: readable(this.#kept ?? this.#text.slice(this.#recordStart, this.#at)),
      cells: hasInvalid ? this.#cells.map(readable) : this.#cells,
      faults: this.#faults,
    });
  }

  #beginRecord(): void {
    this.#recordStart = this.#lineStart = this.#cellStart = this.#at + 1;
    this.#recordLine = ++this.#line;
    this.#cells = [];
    this.#faults = [];
    this.#kept = null;
  }

  #cut(): void {
    this.#fault('too_many_characters', this.#text.charAt(this.#at));
    this.#settle();
    this.#kept = this.#text.slice(this.#recordStart, this.#at);
  }

  /** Records where the current record begins. */
  #settle(): void {
    if (this.#kept !== null) return;
    this.#countTo(this.#recordStart);
    this.#next = { byte: this.#bytes, line: this.#recordLine };
  }

  #countTo(position: number): void {
    this.#bytes += this.#countBytes(this.#text.slice(this.#counted, position));
    this.#counted = position;
  }
}
