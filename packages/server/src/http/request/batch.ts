import { ApiError, type BatchLineOutcome, batchMaximum } from '@kontor/contract';
import Type, { type TArray, type TObject } from 'typebox';
import { type BodyContract, compileBody } from './body-contract.ts';
import { inSlices } from '../../lib/concurrency/in-slices.ts';
import { parseLargeJsonObject } from './json.ts';
import type { Batch, Line } from '../route.ts';

/**
 * Parses a batch and checks each line against its contract, in time slices, so that other requests run in between.
 * @throws ApiError 400 when the body is not a JSON object with `items`, or a line is not an object. Then no line is stored.
 */
export type BatchContract = (bytes: Buffer | null) => Promise<Batch>;

/** Properties and array elements of an item on all levels, on average. An order with ten products has about 150. */
const membersPerItem = 300;

const frameContract = compileBody(
  Type.Object(
    { items: Type.Array(Type.Object({}), { minItems: 1, maxItems: batchMaximum }) },
    { additionalProperties: false },
  ),
);

export function compileBatch(body: TObject): BatchContract {
  const check = compileBody((body.properties['items'] as TArray<TObject>).items);
  return async bytes => {
    const frame = frameContract(await parseLargeJsonObject(bytes!, batchMaximum * membersPerItem));
    const lines = frame['items'] as Record<string, unknown>[];
    return { items: await inSlices(lines, line => checkLine(line, check)) };
  };
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
