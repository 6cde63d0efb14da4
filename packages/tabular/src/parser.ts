import { escapedByte } from './decode.ts';
import type { Dialect } from './dialect.ts';

/*
 * The parser reads each character once and is in one of these states:
 *
 * | state  | the parser is                        | `"`                         | delimiter   | line end      | blank          | other                                    |
 * | ------ | ------------------------------------ | --------------------------- | ----------- | ------------- | -------------- | ---------------------------------------- |
 * | start  | before the first character           | → quoted                    | ends a cell | ends a record | value          | value, → plain                           |
 * | plain  | in a cell without quotes             | value, fault `quote_inside` | ends a cell | ends a record | value          | value                                    |
 * | quoted | in a cell after its opening quote    | → closed                    | value       | value         | value          | value                                    |
 * | closed | after a quote in a quoted cell       | value, → quoted             | ends a cell | ends a record | → after        | value, fault `text_after_quote`, → plain |
 * | after  | in blanks after a quoted cell        | as other                    | ends a cell | ends a record |                | value, fault `text_after_quote`, → plain |
 *
 * "Value": the character becomes part of the value. The end of a cell or record leads to `start`. A blank is a space, a tab or a no-break space,
 * unless it is the delimiter. An opening quote drops the blanks before it.
 *
 * - A line ends with LF, CR LF or CR. A line of blanks and delimiters is not a record, nor is a first line `sep=;`, in which Excel names the
 *   delimiter.
 * - `="00701"` without quotes around it is a value of Excel, without a fault.
 * - A fault spoils its record and no other, and reading goes on. The cells of a record with a fault are those that Python's `csv` reads with
 *   `skipinitialspace`.
 * - A record with more than `maxCharacters` keeps its first cells. The rest of the record is read and not stored.
 * - A quoted value that does not end makes one record of the rest of the file, with the fault `unclosed_quote`.
 */
type State = 'start' | 'plain' | 'quoted' | 'closed' | 'after';

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

const [lf, cr, quote, space, tab, noBreakSpace] = [0x0a, 0x0d, 0x22, 0x20, 0x09, 0xa0];

const isBlank = (code: number) => code === space || code === tab || code === noBreakSpace;

/** A program that does not know such a line fills it with empty cells. */
const separatorLine = /^"?sep=(?:[,;|\t]|\\t)"?[,;|\t]*$/i;

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
  /** The place of the opening quote; in a cell without quotes, of the first quote inside. */
  #quote: { line: number; column: number } | null = null;
  /** The position after the closing quote. */
  #closed = 0;
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
    this.#closed -= used;
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
      else if (isBlank(code)) this.#readBlank();
      else this.#readOther(code);
    }
    return false;
  }

  /** Ends the last record, which may lack a line end. */
  end(): void {
    if (this.#state === 'quoted') this.#fault('unclosed_quote', '"', this.#quote!);
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
      this.#quote = { line: this.#line, column: this.#column };
      this.#cellStart = this.#at;
      this.#state = 'quoted';
    } else if (this.#state === 'plain') this.#quote ??= { line: this.#line, column: this.#column };
    else if (this.#state === 'after') this.#readOther(quote);
    else {
      this.#state = this.#state === 'quoted' ? 'closed' : 'quoted';
      this.#closed = this.#at + 1;
    }
  }

  #readBlank(): void {
    if (this.#state === 'closed') this.#state = 'after';
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
    else if (this.#state === 'closed' || this.#state === 'after') {
      this.#fault('text_after_quote', String.fromCodePoint(this.#text.codePointAt(this.#at)!).toWellFormed());
      if (this.#kept === null) this.#value = this.#valueUntil(this.#at);
      this.#cellStart = this.#closed;
      this.#state = 'plain';
      // A quote after blanks is part of the text.
      this.#quote = null;
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
    if (this.#state === 'start' || this.#state === 'plain')
      return this.#value + this.#text.slice(this.#cellStart, end);
    const inside = this.#text.slice(this.#cellStart + 1, this.#state === 'quoted' ? end : this.#closed - 1);
    return inside.replaceAll('""', '"');
  }

  #endCell(): void {
    if (this.#kept === null && this.#cells.length < maxCells) {
      const value = this.#valueUntil(this.#at);
      if (this.#state === 'plain' && this.#quote !== null && !/^\s*="[^"]*"\s*$/.test(value))
        this.#fault('quote_inside', '"', this.#quote);
      this.#cells.push(value);
    }
    this.#cellCount++;
    this.#state = 'start';
    this.#value = '';
    this.#quote = null;
    this.#cellStart = this.#at + 1;
  }

  #endRecord(): void {
    if (this.#at === this.#recordStart && this.#kept === null) return;
    this.#endCell();
    if (this.#isNoRecord()) return;
    const hasInvalid = this.#faults.some(({ code }) => code === 'invalid_byte');
    const readable = (text: string) => (hasInvalid ? text.toWellFormed() : text);
    this.#records.push({
      line: this.#recordLine,
      text: readable(this.#recordText),
      cells: hasInvalid ? this.#cells.map(readable) : this.#cells,
      faults: this.#faults,
    });
  }

  get #recordText(): string {
    return this.#kept ?? this.#text.slice(this.#recordStart, this.#at);
  }

  #isNoRecord(): boolean {
    if (this.#kept !== null || this.#faults.length > 0) return false;
    if (this.#recordLine === 1 && separatorLine.test(this.#recordText)) return true;
    return this.#cells.every(cell => cell.trim() === '');
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
