import { isUtf8 } from 'node:buffer';
import { type Encoding, openDecoder, validLength } from './decode.ts';
import { type Delimiter, delimiters, type Dialect } from './dialect.ts';
import { RecordParser } from './parser.ts';

/** Bytes in which the delimiter is searched. */
export const headBytes = 64 * 1024;

/** Records of the head that are compared. */
const headRecords = 100;

/**
 * Detects how a file is written. A byte order mark decides about the encoding, a first line `sep=;` about the delimiter. Otherwise the delimiter is
 * the character that divides the most of the first records: a title has none.
 */
export function detectDialect(bytes: Uint8Array): Dialect {
  const encoding = detectEncoding(bytes);
  return { encoding, delimiter: detectDelimiter(decodeHead(bytes, encoding)) };
}

/** The text of the first bytes. */
export function decodeHead(bytes: Uint8Array, encoding: Encoding): string {
  return openDecoder(encoding)
    .decode(bytes.subarray(0, headBytes))
    .replace(/^\ufeff/, '');
}

/**
 * Without a mark, valid UTF-8 is UTF-8. So is a file with as many proofs of it as faults: a byte that is not UTF-8 does not turn the whole file into
 * another encoding. Any other file is Windows-1252, as Excel writes it.
 */
function detectEncoding(bytes: Uint8Array): Encoding {
  if (bytes.length === 0) return 'utf-8';
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const unmarked = detectUnmarkedUtf16(bytes.subarray(0, headBytes));
  if (unmarked !== null) return unmarked;
  return isUtf8(bytes) || provesUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/** Text in Latin letters has a zero in most of its pairs of bytes, and hardly ever at the other place. */
function detectUnmarkedUtf16(head: Uint8Array): Encoding | null {
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]!++;
  const [even = 0, odd = 0] = zeros;
  if (Math.min(even, odd) * 10 > Math.max(even, odd) || Math.max(even, odd) * 4 < head.length) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** Bytes in which a proof is searched. */
const provingBytes = 1024 * 1024;

/**
 * Whether bytes are UTF-8 with bytes that are not. A character of three or more bytes (`â€“`), or one of U+0080 to U+00FF (`Ã¼`, `Â°`), is not a
 * text in Windows-1252, unless a program damaged it: so it proves UTF-8 where it is not outnumbered. Other pairs can be text, such as `ß“`: they
 * must outnumber the bytes that are not UTF-8.
 */
function provesUtf8(bytes: Uint8Array): boolean {
  let proofs = 0;
  let pairs = 0;
  let invalid = 0;
  for (let at = 0; at < Math.min(bytes.length, provingBytes); at++) {
    const byte = bytes[at]!;
    if (byte < 0x80) continue;
    const length = validLength(bytes, at);
    if (length > 2 || (length === 2 && byte <= 0xc3)) proofs++;
    else if (length === 2) pairs++;
    else invalid++;
    if (length > 1) at += length - 1;
  }
  return proofs > 0 ? proofs + pairs >= invalid : pairs > invalid;
}

const separatorLine = /^"?sep=([,;|\t]|\\t)/i;

function detectDelimiter(head: string): Delimiter {
  const [, named] = separatorLine.exec(head) ?? [];
  if (named !== undefined) return named === '\\t' ? '\t' : (named as Delimiter);
  const scores = delimiters.map(delimiter => scoreDelimiter(head, delimiter));
  const best = Math.max(...scores);
  return best === -Infinity ? ',' : delimiters[scores.indexOf(best)]!;
}

/**
 * The number of records that a delimiter divides, less those that it does not, from the first divided one on: titles come first. Quotes out of place
 * count against it. Where two are equal, the number of records with the most frequent number of cells decides.
 */
function scoreDelimiter(head: string, delimiter: Delimiter): number {
  if (!head.includes(delimiter)) return -Infinity;
  const counts = new Map<number, number>();
  let score = 0;
  for (const { cells, faults } of parseHead(head, delimiter)) {
    const isDivided = cells.length > 1 && faults.length === 0;
    if (isDivided) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
    if (isDivided) score++;
    else if (counts.size > 0 || faults.length > 0) score--;
  }
  return score + Math.max(0, ...counts.values()) / (headRecords + 1);
}

/** The first records of a head. The last one may be cut. */
function parseHead(head: string, delimiter: Delimiter) {
  const parser = new RecordParser({ delimiter }, { byte: 0, line: 1 }, text => text.length);
  parser.add(head);
  const records = [];
  for (let isStopped = true; isStopped && records.length < headRecords;) {
    isStopped = parser.read(false);
    if (!isStopped) parser.end();
    records.push(...parser.take().records);
  }
  return records.slice(0, headRecords);
}
