import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { ServerSession } from './session.ts';
import { Parser } from 'pg-protocol/dist/parser.js';

/** Maximum bytes per read from the socket. */
const chunkSize = 64 * 1024;

/**
 * Returns the values of array rows as raw bytes, see {@link RowReader}, and those of object rows as text.
 * Documents pass through undecoded: decoding and encoding them costs more than everything else in a page of 100.
 */
export class ByteSession extends ServerSession {
  constructor(config: pg.ClientConfig) {
    let read = (_chunk: Buffer): void => {};
    // The driver calls `stream` as a function (pg 8.23); its types omit that.
    const stream = (({ ssl }: { ssl: unknown }) =>
      ssl ? new Socket() : reusingSocket(chunk => read(chunk))) as unknown as () => Duplex;
    // pg-pool hides the password from a copy.
    const { password } = config;
    super({
      ...config,
      ...(password !== undefined && { password }),
      stream,
      types: { getTypeParser: () => String },
    });
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
    // A TLS stream emits 'data'. The socket that reuses its buffer never does.
    connection.attachListeners = source => source.on('data', read);
  }
}

/** Members of the driver's connection that its types omit (pg 8.23). */
interface Connection {
  attachListeners(stream: Duplex): void;
  emit(event: string, message: Message): boolean;
}

/** Reads every chunk into one buffer: allocating one per chunk costs more than copying the row values out of it. */
function reusingSocket(read: (chunk: Buffer) => void): Socket {
  const buffer = Buffer.allocUnsafeSlow(chunkSize);
  const callback = (size: number) => {
    read(buffer.subarray(0, size));
    return true;
  };
  return new Socket({ onread: { buffer, callback } });
}

/** A protocol message in the form that the driver's client handles. */
export interface Message {
  readonly name: string;
}

/** A message starts with a one-byte code and a length that counts itself but not the code (PostgreSQL 54.7). */
const headLength = 5;
const rowCode = 'D'.charCodeAt(0);

/**
 * Parses the server's messages chunk by chunk. Row values are copied once, into a buffer of the row's size.
 * The caller may therefore overwrite a chunk as soon as it is read. The driver's parser handles all other messages.
 */
export class RowReader {
  readonly #parser = new Parser();
  readonly #handle: (message: Message) => void;
  /** An incomplete message head at the end of the last chunk. */
  #head: Buffer | null = null;
  /** The row that is arriving, and its bytes so far. */
  #row: Buffer | null = null;
  #filled = 0;
  /** Remaining bytes of an incomplete message that is not a row. */
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

  /** The parser retains an incomplete message without copying it, so it gets a copy of the chunk. */
  #parse(messages: Buffer): void {
    this.#parser.parse(this.#passing > 0 ? Buffer.from(messages) : messages, this.#handle);
  }

  /** Returns the end of the messages in the chunk that are not rows. */
  #endOfOthers(chunk: Buffer, start: number): number {
    let at = start + this.#passing;
    while (at + headLength <= chunk.length && chunk[at] !== rowCode) at += 1 + chunk.readUInt32BE(at + 1);
    this.#passing = Math.max(0, at - chunk.length);
    return Math.min(at, chunk.length);
  }

  /** Starts to read the row at this offset. Returns the offset behind it, or the end of the chunk. */
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

  /** Copies the row's bytes and emits the row once complete. Returns the offset behind them. */
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

/** The format is a value count, then each value with its length; -1 stands for null. */
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
