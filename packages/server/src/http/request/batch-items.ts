import { batchMaximum, malformed } from '@kontor/contract';
import { closing, colon, comma, endOfToken, kinds, opening, quote, space } from './json-scan.ts';

/** A JSON text in which the elements of `items` are numbers, and these elements themselves. */
interface Cut {
  readonly frame: Buffer;
  readonly items: readonly Buffer[];
}

const openBracket = 0x5b;
const name = '"items"';
const placeholder = Buffer.from('0');

/**
 * Cuts the elements of the array `items` out of the bytes of a JSON object, so that each can be parsed by itself. What is no JSON stays
 * so in the frame or in one of the elements.
 * @throws ApiError 400 VALIDATION_ERROR where there are more than a batch may have.
 */
export function cutItems(bytes: Buffer): Cut {
  const start = startOfItems(bytes);
  if (start === null) return { frame: bytes, items: [] };
  const frame: Buffer[] = [bytes.subarray(0, start)];
  const items: Buffer[] = [];
  let at = start;
  for (;;) {
    const element = nextElement(bytes, at);
    if (element === null) break;
    if (items.length === batchMaximum) throw tooMany();
    frame.push(bytes.subarray(at, element.start), placeholder);
    items.push(bytes.subarray(element.start, element.end));
    at = element.end;
  }
  return { frame: Buffer.concat([...frame, bytes.subarray(at)]), items };
}

/** The index behind the bracket that opens the array `items` of the outermost object; null where there is none. */
function startOfItems(bytes: Buffer): number | null {
  let depth = 0;
  let text = '';
  let named = false;
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    const kind = kinds[bytes[start]!]!;
    end = endOfToken(bytes, start, kind);
    if (kind === space) continue;
    if (kind === opening) {
      if (depth === 1 && named && bytes[start] === openBracket) return end;
      depth++;
    } else if (kind === closing) depth--;
    // A name may be as long as the whole body; one that is compared is not.
    if (kind === quote) text = end - start === name.length ? bytes.toString('latin1', start, end) : '';
    named = kind === colon && text === name;
  }
  return null;
}

/** Where the next element of an array begins and ends; null at the end of the array, or of the text. */
function nextElement(bytes: Buffer, from: number): { start: number; end: number } | null {
  let first: number | null = null;
  let last = from;
  let depth = 0;
  for (let start = from, end = from; start < bytes.length; start = end) {
    const kind = kinds[bytes[start]!]!;
    end = endOfToken(bytes, start, kind);
    if (kind === space) continue;
    if (depth === 0 && (kind === closing || kind === comma)) {
      if (first !== null) return { start: first, end: last };
      if (kind === closing) return null;
      continue;
    }
    if (kind === opening) depth++;
    else if (kind === closing) depth--;
    first ??= start;
    last = end;
  }
  return null;
}

function tooMany(): Error {
  const max = batchMaximum.toLocaleString('en-US');
  return malformed(`items must have at most ${max} elements; send the others in another batch`);
}
