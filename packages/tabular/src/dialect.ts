import { isUtf8 } from 'node:buffer';
import type { Encoding } from './decode.ts';

/** How a file is written. */
export interface Dialect {
  readonly encoding: Encoding;
  /** The character between cells. */
  readonly delimiter: ',' | ';';
}

/** Bytes in which the first line is searched. */
const searched = 64 * 1024;

const [lf, cr, quote, comma, semicolon] = [0x0a, 0x0d, 0x22, 0x2c, 0x3b];

/** Detects how a file is written. Text of another encoding is hardly ever valid UTF-8. The first line with a character has the delimiter. */
export function detectDialect(bytes: Uint8Array): Dialect {
  let isQuoted = false;
  let isEmpty = true;
  let [commas, semicolons] = [0, 0];
  for (const byte of bytes.subarray(0, searched)) {
    if (byte === quote) isQuoted = !isQuoted;
    if (isQuoted) continue;
    const isLineEnd = byte === lf || byte === cr;
    if (isLineEnd && !isEmpty) break;
    if (!isLineEnd) isEmpty = false;
    if (byte === comma) commas++;
    if (byte === semicolon) semicolons++;
  }
  return {
    encoding: isUtf8(bytes) ? 'utf-8' : 'windows-1252',
    delimiter: semicolons > 0 && semicolons >= commas ? ';' : ',',
  };
}
