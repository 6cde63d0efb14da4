import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { ServerSession } from './session.ts';
import { Parser } from 'pg-protocol/dist/parser.js';

/** Most bytes that are taken from the socket at a time. */
const chunkSize = 64 * 1024;

/**
 * A session whose rows as arrays have the bytes on the wire, see {@link RowReader}; those by name have text. So documents pass through the service without
 * being decoded and encoded again, which for a page of 100 costs more than all else.
 */
export class ByteSession extends ServerSession {
  constructor(config: pg.ClientConfig) {
    let read = (_chunk: Buffer): void => {};
    // The driver calls it (pg 8.23), which its types do not tell.
    const stream = (({ ssl }: { ssl: unknown }) =>
      ssl ? new Socket() : reusingSocket(chunk => read(chunk))) as unknown as () => Duplex;
    super({ ...config, stream, types: { getTypeParser: () => String } });
    const connection = this.connection as unknown as Connection;
    const reader = new RowReader(message =>
      connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message),
    );
    read = chunk => {
      try {
        reader.read(chunk);
      } catch (error) {
        this.destroy(error as Error);
      }
    };
    // TLS has a stream of its own. The socket that reuses its buffer never has this event.
    connection.attachListeners = source => source.on('data', read);
  }
}

/** What the driver's connection has, but its types do not tell (pg 8.23). */
interface Connection {
  attachListeners(stream: Duplex): void;
  emit(event: string, message: Message): boolean;
}

/** A socket that has all of its pieces in one buffer: to make one for each costs more than to copy what is needed of it. */
function reusingSocket(read: (chunk: Buffer) => void): Socket {
  const buffer = Buffer.allocUnsafeSlow(chunkSize);
  const callback = (size: number) => {
    read(buffer.subarray(0, size));
    return true;
  };
  return new Socket({ onread: { buffer, callback } });
}

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
