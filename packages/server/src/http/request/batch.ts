import { ApiError, type BatchLineOutcome, batchMaximum, malformed } from '@kontor/contract';
import Type, { type TArray, type TObject } from 'typebox';
import { type BodyContract, compileBody } from './body-contract.ts';
import { inSlices, nextSlice } from '../../lib/concurrency/in-slices.ts';
import {
  closing,
  colon,
  comma,
  endOfToken,
  kinds,
  opening,
  parseJsonObject,
  quote,
  space,
  withoutByteOrderMark,
} from './json.ts';
import type { Batch, Line } from '../route.ts';

/**
 * Reads the bytes of a batch and checks each line against its contract. It works in time slices, so that other requests run in between.
 * @throws ApiError 400 when the body is not a JSON object with `items`, or a line is not an object. Then no line is stored.
 */
export type BatchContract = (bytes: Buffer) => Promise<Batch>;

/** The body with a number in place of each line. */
const frameContract = compileBody(
  Type.Object(
    { items: Type.Array(Type.Unknown(), { minItems: 1, maxItems: batchMaximum }) },
    { additionalProperties: false },
  ),
);

export function compileBatch(body: TObject): BatchContract {
  const check = compileBody((body.properties['items'] as TArray<TObject>).items);
  return async bytes => {
    await nextSlice();
    const { frame, items } = cutItems(withoutByteOrderMark(bytes));
    const places = frameContract(parseJsonObject(frame))['items'] as unknown[];
    if (places.length !== items.length) throw malformed('items: write this name without escape sequences');
    return { items: await inSlices(items, (item, index) => checkLine(parseLine(item, index), check)) };
  };
}

function parseLine(item: Buffer, index: number): Record<string, unknown> {
  try {
    return parseJsonObject(item);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message } = error;
    const place = `items[${index}]`;
    throw malformed(
      message.startsWith('The body') ? message.replace('The body', place) : `${place}: ${message}`,
    );
  }
}

function checkLine(value: Record<string, unknown>, check: BodyContract): Line {
  try {
    return { value: check(value) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { rejection: error };
  }
}

/** The outcome of a line: its resource with the status of a single request, or why it was rejected. */
export type LineOutcome = { readonly status: number; readonly id: string } | ApiError;

export function batchOutcome(requestId: string, outcomes: readonly LineOutcome[]): string {
  const items = outcomes.map((outcome, index) => lineOutcome(requestId, outcome, index));
  return JSON.stringify({ items });
}

function lineOutcome(requestId: string, outcome: LineOutcome, index: number): BatchLineOutcome {
  const { status } = outcome;
  if (!(outcome instanceof ApiError)) return { index, status, id: outcome.id, error: null };
  const code = outcome.code as NonNullable<BatchLineOutcome['error']>['code'];
  return { index, status, id: null, error: { code, message: outcome.message, requestId } };
}

/** A JSON text with numbers in place of the elements of `items`, and the elements themselves. */
interface Cut {
  readonly frame: Buffer;
  readonly items: readonly Buffer[];
}

const openBracket = 0x5b;
const name = '"items"';
const placeholder = Buffer.from('0');

/** Cuts out the elements of `items`, so that each is parsed alone. Invalid JSON stays invalid. @throws ApiError 400 VALIDATION_ERROR for too many. */
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

/** The index behind the opening bracket of the outermost array `items`; null when there is none. */
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
    // A name may be as long as the body, so only one of the right length is copied and compared.
    if (kind === quote) text = end - start === name.length ? bytes.toString('latin1', start, end) : '';
    named = kind === colon && text === name;
  }
  return null;
}

/** Start and end of the next element; null at the end of the array or of the text. */
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
