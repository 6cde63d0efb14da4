import { Parser } from 'pg-protocol/dist/parser.js';

/** A message of the protocol, as the driver's client handles it. */
export interface Message {
  readonly name: string;
}

/** Every message has a code of one byte and then its length, which counts itself but not the code (PostgreSQL 54.7). */
const headLength = 5;
const rowCode = 'D'.charCodeAt(0);

/**
 * Reads what the server sends, piece by piece as it arrives. The values of a row are handed on as bytes, copied once, into a
 * buffer of the row's size: so a piece may be written over as soon as it is read. Other messages are read by the driver's parser.
 */
export class RowReader {
  readonly #parser = new Parser();
  readonly #handle: (message: Message) => void;
  /** The beginning of a head, when the last piece has ended within it. */
  #head: Buffer | null = null;
  /** The row that is arriving, and how much of it has. */
  #row: Buffer | null = null;
  #filled = 0;
  /** Bytes still to come of another message. */
  #passing = 0;

  constructor(handle: (message: Message) => void) {
    this.#handle = handle;
  }

  read(arrived: Buffer): void {
    const chunk = this.#head ? Buffer.concat([this.#head, arrived]) : arrived;
    this.#head = null;
    let at = this.#row ? this.#fill(chunk, 0) : 0;
    while (at < chunk.length) {
      const end = this.#endOfOthers(chunk, at);
      if (end > at) this.#parse(chunk.subarray(at, end));
      at = this.#beginRow(chunk, end);
    }
  }

  /** The parser keeps the beginning of a message as it is, until the rest of it has come. */
  #parse(messages: Buffer): void {
    this.#parser.parse(this.#passing > 0 ? Buffer.from(messages) : messages, this.#handle);
  }

  /** Where the messages that are no rows end in the piece. */
  #endOfOthers(chunk: Buffer, start: number): number {
    let at = start + this.#passing;
    while (at + headLength <= chunk.length && chunk[at] !== rowCode) at += 1 + chunk.readUInt32BE(at + 1);
    this.#passing = Math.max(0, at - chunk.length);
    return Math.min(at, chunk.length);
  }

  /** Takes what is there of the row that begins here, and returns where that ends. */
  #beginRow(chunk: Buffer, at: number): number {
    const body = at + headLength;
    if (body > chunk.length) {
      if (at < chunk.length) this.#head = Buffer.from(chunk.subarray(at));
      return chunk.length;
    }
    this.#row = Buffer.allocUnsafe(chunk.readUInt32BE(at + 1) + 1 - headLength);
    this.#filled = 0;
    return this.#fill(chunk, body);
  }

  /** Copies what has arrived of the row, and hands it on when it is whole. Returns where it ends in the piece. */
  #fill(chunk: Buffer, at: number): number {
    const row = this.#row!;
    const copied = chunk.copy(row, this.#filled, at);
    this.#filled += copied;
    if (this.#filled === row.length) {
      this.#row = null;
      this.#handle({ name: 'dataRow', fields: valuesOf(row) } as Message);
    }
    return at + copied;
  }
}

/** The values of a row: how many they are, then each with its length, which is -1 for null. */
function valuesOf(row: Buffer): (Buffer | null)[] {
  const values: (Buffer | null)[] = [];
  let at = 2;
  for (let left = row.readUInt16BE(0); left > 0; left--) {
    const length = row.readInt32BE(at);
    at += 4;
    values.push(length < 0 ? null : row.subarray(at, at + length));
    at += Math.max(length, 0);
  }
  return values;
}
