import { setImmediate } from 'node:timers/promises';
import { openDecoder } from './decode.ts';
import type { Dialect } from './dialect.ts';
import { type Batch, type Position, RecordParser } from './parser.ts';

/** Bytes that are decoded and parsed at once. */
const sliceBytes = 64 * 1024;

interface Options {
  /** Where to begin: the `next` of a batch. */
  readonly from?: Position;
  /** Awaited after each slice: lets other work have its turn. */
  readonly pause?: () => Promise<unknown>;
}

/** Reads the records of a file, or of the rest of one, in batches. */
export async function* readRecords(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  dialect: Dialect,
  { from = { byte: 0, line: 1 }, pause = setImmediate }: Options = {},
): AsyncGenerator<Batch> {
  const decoder = openDecoder(dialect.encoding);
  const parser = new RecordParser(dialect, from, text => decoder.countBytes(text));
  async function* readText(text: string, isLast: boolean): AsyncGenerator<Batch> {
    parser.add(text);
    for (let isStopped = true; isStopped;) {
      isStopped = parser.read(isLast);
      if (isLast && !isStopped) parser.end();
      const batch = parser.take();
      if (batch.records.length > 0) yield batch;
      await pause();
    }
  }
  for await (const slice of slicesOf(source)) yield* readText(decoder.decode(slice), false);
  yield* readText(decoder.end(), true);
}

/** Slices of one size, whatever the chunks: few large ones are as bad as many small ones. */
async function* slicesOf(source: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source instanceof Uint8Array ? [source] : source)
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + sliceBytes - size);
      at += part.length;
      waiting.push(part);
      size += part.length;
      if (size < sliceBytes) continue;
      yield waiting.length === 1 ? part : Buffer.concat(waiting);
      waiting = [];
      size = 0;
    }
  if (size > 0) yield Buffer.concat(waiting);
}
