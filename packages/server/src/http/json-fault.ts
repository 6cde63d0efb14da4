/** Where a text stops being JSON, and what could have stood there. */
export interface JsonFault {
  /** Index in UTF-16 units; the length of the text where it ends too early. */
  readonly at: number;
  readonly expected: string;
}

const space = /[ \t\r\n]*/y;
/** Everything but control characters, the quotation mark and the backslash. */
const plain = /[ !#-[\]-\uffff]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const word = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/**
 * Finds where a text stops being JSON (RFC 8259); null where it is JSON. `JSON.parse` tells no position of short texts. The text
 * must be one that is not nested without limit, as {@link scanJson} sees to.
 */
export function findJsonFault(text: string): JsonFault | null {
  return new Reader(text).fault();
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  fault(): JsonFault | null {
    return this.#value('a value') ?? (this.#at === this.#text.length ? null : this.#expected('nothing more'));
  }

  /** Reads a value with the white space around it; answers the fault in it. */
  #value(expected: string): JsonFault | null {
    this.#take(space);
    const first = this.#text[this.#at];
    const fault =
      first === '{'
        ? this.#members('}', () => this.#property())
        : first === '['
          ? this.#members(']', () => this.#value('a value'))
          : first === '"'
            ? this.#string(expected)
            : this.#take(word)
              ? null
              : this.#expected(expected);
    this.#take(space);
    return fault;
  }

  #members(end: string, member: () => JsonFault | null): JsonFault | null {
    this.#at++;
    this.#take(space);
    if (this.#takeOne(end)) return null;
    for (;;) {
      const fault = member();
      if (fault !== null) return fault;
      if (this.#takeOne(end)) return null;
      if (!this.#takeOne(',')) return this.#expected(`a comma or ${end}`);
    }
  }

  #property(): JsonFault | null {
    this.#take(space);
    const fault = this.#string('a name in double quotes');
    if (fault !== null) return fault;
    this.#take(space);
    return this.#takeOne(':') ? this.#value('a value') : this.#expected('a colon');
  }

  #string(expected: string): JsonFault | null {
    if (!this.#takeOne('"')) return this.#expected(expected);
    do this.#take(plain);
    while (this.#take(escape));
    if (this.#takeOne('"')) return null;
    const next = this.#text[this.#at];
    if (next === '\\') return this.#expected('a valid escape, such as \\n or \\u00e4');
    return this.#expected(
      next === undefined ? 'a double quote' : 'no control character in a text: write it as an escape',
    );
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #takeOne(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #expected(expected: string): JsonFault {
    return { at: this.#at, expected };
  }
}
