import { isUtf8 } from 'node:buffer';

/** Encodings of files: that of the web, those of Excel's *Unicode Text*, and that of Excel in western Europe, in which any bytes are a text. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Decodes a file in chunks. */
export interface Decoder {
  /** Decodes complete characters, and keeps the bytes of the last one if it goes on in the next chunk. */
  decode(chunk: Uint8Array): string;
  /** The text of the bytes that are left. */
  end(): string;
  /** The bytes that a decoded text had. */
  countBytes(text: string): number;
}

export function openDecoder(encoding: Encoding): Decoder {
  if (encoding === 'utf-8') return new Utf8Decoder();
  return encoding === 'windows-1252' ? new ByteDecoder() : new Utf16Decoder(encoding);
}

/** One byte is one character. */
class ByteDecoder implements Decoder {
  readonly #decoder = new TextDecoder('windows-1252');

  decode(chunk: Uint8Array): string {
    return this.#decoder.decode(chunk);
  }

  end(): string {
    return '';
  }

  countBytes(text: string): number {
    return text.length;
  }
}

class Utf16Decoder implements Decoder {
  readonly #decoder: InstanceType<typeof TextDecoder>;

  constructor(encoding: 'utf-16le' | 'utf-16be') {
    this.#decoder = new TextDecoder(encoding, { ignoreBOM: true });
  }

  decode(chunk: Uint8Array): string {
    return this.#decoder.decode(chunk, { stream: true });
  }

  end(): string {
    return this.#decoder.decode();
  }

  countBytes(text: string): number {
    return 2 * text.length;
  }
}

/*
 * A byte that is not UTF-8 becomes a lone surrogate, U+DC00 and the byte, as in Python's error handler `surrogateescape`. UTF-8 has no surrogates, so
 * nothing else decodes to one, and the parser can name line, column and byte.
 */
const escapes = 0xdc00;

/** The byte of an escaped character; null for any other. `before` is the character before it. */
export function escapedByte(code: number, before: number): number | null {
  const isLone = !(before >= 0xd800 && before < escapes);
  return code >= escapes + 0x80 && code <= escapes + 0xff && isLone ? code - escapes : null;
}

class Utf8Decoder implements Decoder {
  /** The first bytes of a character. */
  #rest = Buffer.alloc(0);

  decode(chunk: Uint8Array): string {
    const bytes = this.#rest.length === 0 ? asBuffer(chunk) : Buffer.concat([this.#rest, chunk]);
    const end = completeLength(bytes);
    this.#rest = Buffer.from(bytes.subarray(end));
    return decodeUtf8(bytes.subarray(0, end));
  }

  end(): string {
    return decodeUtf8(this.#rest);
  }

  countBytes(text: string): number {
    const bytes = Buffer.byteLength(text);
    if (text.isWellFormed()) return bytes;
    let escaped = 0;
    for (let at = 0; at < text.length; at++)
      if (escapedByte(text.charCodeAt(at), text.charCodeAt(at - 1)) !== null) escaped++;
    // A lone surrogate counts as three bytes.
    return bytes - 2 * escaped;
  }
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** The bytes before a character that is not complete. */
function completeLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 1;
}

function decodeUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  let start = 0;
  for (let at = 0; at < bytes.length;) {
    const length = validLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (start < at) text += bytes.toString('utf8', start, at);
    text += String.fromCharCode(escapes + bytes[at]!);
    start = ++at;
  }
  return text + bytes.toString('utf8', start);
}

/** The bytes of the character that begins at a position; 0 where none does (Unicode 16, table 3-7). */
export function validLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length = sequenceLength(lead);
  if (length === 1) return 0;
  const second = bytes[at + 1] ?? 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let n = 2; n < length; n++) if (((bytes[at + n] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
