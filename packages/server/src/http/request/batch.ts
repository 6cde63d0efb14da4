import { ApiError, batchMaximum, type BatchLineOutcome, malformed } from '@kontor/contract';
import Type, { type TObject } from 'typebox';
import { type BodyContract, compileBody } from './body-contract.ts';
import { inSlices, nextSlice } from '../../lib/in-slices.ts';
import { cutItems } from './batch-items.ts';
import { parseJsonObject, withoutByteOrderMark } from './json.ts';
import type { Batch, Line } from '../route.ts';

/**
 * Reads the bytes of a batch. Each line is checked against its contract by itself, a few at a time, so that nobody else waits for all
 * of them.
 * @throws ApiError 400 for a body that is no JSON, no object with `items`, or of which a line is no object: then no line counts.
 */
export type BatchContract = (bytes: Buffer) => Promise<Batch>;

/** The body without its lines: numbers stand in their place. */
const frameContract = compileBody(
  Type.Object(
    { items: Type.Array(Type.Unknown(), { minItems: 1, maxItems: batchMaximum }) },
    { additionalProperties: false },
  ),
);

/** Compiles the body of an operation that takes a batch. */
export function compileBatch(body: TObject): BatchContract {
  const check = compileBody((body.properties['items'] as unknown as { items: TObject }).items);
  return async bytes => {
    await nextSlice();
    const { frame, items } = cutItems(withoutByteOrderMark(bytes));
    const places = frameContract(parseJsonObject(frame))['items'] as unknown[];
    if (places.length !== items.length) throw malformed('items must be named so, without escapes');
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
    return { refusal: error };
  }
}

/** What became of a line: the resource, with the status that a request by itself would have been answered with; or why it was refused. */
export type LineOutcome = { readonly status: number; readonly id: string } | ApiError;

/** The body of the answer to a batch. */
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
