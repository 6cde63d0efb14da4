import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, describeBodyLimit, malformed } from '@kontor/contract';
import { type BodyMemory, freeBytes } from '../limits/body-budget.ts';

/** Bytes that are read and discarded so that the client can read the answer. */
const discardLimit = 256 * 1024 * 1024;

/** The client disconnected before its request was complete, so there is no answer to send. */
export class Disconnected extends Error {
  override readonly name = 'Disconnected';
}

/** Requests with a client that ended its side of the connection in the middle of the body. It may still read an answer. */
const cutShort = new WeakSet<IncomingMessage>();
const cutShortEvent = Symbol('cut short');

export function cutBodyShort(request: IncomingMessage): void {
  cutShort.add(request);
  request.emit(cutShortEvent);
}

export function isCutShort(request: IncomingMessage): boolean {
  return cutShort.has(request);
}

/**
 * Reads the whole body of a request. The reading pauses while the budget has no memory for it.
 * @throws ApiError PAYLOAD_TOO_LARGE as soon as the declared or received length exceeds the limit. The rest stays unread then.
 * @throws ApiError 400 VALIDATION_ERROR when the body ends too early, or when the sender is too slow while others wait.
 * @throws ApiError SERVICE_UNAVAILABLE when there is no memory; {@link Disconnected}.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { limit, memory }: { limit: number; memory: BodyMemory },
): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) return Promise.reject(tooLarge(limit));
  if (isCutShort(request)) return Promise.reject(incomplete());
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => {
    const buffer = new GrowingBuffer(memory, declared || limit);
    const yieldToOthers = yielding(request);
    let appending: Promise<void> | undefined;
    let isSettled = false;
    const onData = (chunk: Buffer) => {
      yieldToOthers();
      if (buffer.size + chunk.length > limit) return giveUp(tooLarge(limit));
      appending = buffer.append(chunk, giveUp);
      if (!appending) return;
      request.pause();
      appending.then(() => isSettled || request.resume(), giveUp);
    };
    const settle = (outcome: () => void) => {
      if (isSettled) return;
      isSettled = true;
      request.pause();
      request.off('data', onData).off('end', onEnd).off(cutShortEvent, onCutShort).off('close', onBroken);
      outcome();
    };
    const giveUp = (error: Error) => settle(() => reject(error));
    const finish = () => {
      memory.complete();
      settle(() => resolve(buffer.content));
    };
    // A paused stream still emits the end of buffered data, and then closes.
    const onEnd = () => {
      request.off('close', onBroken);
      if (appending) appending.then(finish, giveUp);
      else finish();
    };
    const onCutShort = () => giveUp(incomplete());
    const onBroken = () => giveUp(new Disconnected('The client broke off'));
    request.on('data', onData).on('end', onEnd).on(cutShortEvent, onCutShort).on('close', onBroken);
  });
}

/** One growing buffer: separate chunks would take far more memory, as a client may send millions of tiny ones. */
class GrowingBuffer {
  readonly #memory: BodyMemory;
  readonly #longest: number;
  #bytes: Buffer = Buffer.alloc(0);
  size = 0;

  constructor(memory: BodyMemory, longest: number) {
    this.#memory = memory;
    this.#longest = longest;
  }

  get content(): Buffer {
    return this.#bytes.subarray(0, this.size);
  }

  /** Appends the chunk, at once or when the promise resolves. `giveUp` is called when the memory of the body is taken away. */
  append(chunk: Buffer, giveUp: (error: ApiError) => void): Promise<void> | undefined {
    this.#memory.received(chunk.length);
    const needed = this.size + chunk.length;
    if (needed > this.#bytes.length) {
      const length = Math.max(needed, Math.min(2 * this.#bytes.length, this.#longest));
      if (length > freeBytes) return this.#appendCounted(chunk, length, giveUp);
      this.#lengthen(length);
    }
    this.#copy(chunk);
    return undefined;
  }

  async #appendCounted(chunk: Buffer, length: number, giveUp: (error: ApiError) => void): Promise<void> {
    await this.#memory.grow(length, giveUp);
    this.#lengthen(length);
    this.#copy(chunk);
  }

  #lengthen(length: number): void {
    const longer = Buffer.allocUnsafe(length);
    this.#bytes.copy(longer, 0, 0, this.size);
    this.#bytes = longer;
  }

  #copy(chunk: Buffer): void {
    this.size += chunk.copy(this.#bytes, this.size);
  }
}

/** Chunks of a body that are processed in one turn of the event loop. */
const chunksInWrite = 1000;

/** Call the result with each chunk. It pauses after {@link chunksInWrite}: Node reads 2 MiB per turn, and a chunk may be one byte. */
function yielding({ socket }: IncomingMessage): () => void {
  let chunks = 0;
  const goOn = () => {
    chunks = 0;
    socket.resume();
  };
  return () => {
    if (++chunks !== chunksInWrite) return;
    socket.pause();
    setImmediate(goOn);
  };
}

function tooLarge(limit: number): ApiError {
  return new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${describeBodyLimit(limit)}; send less at once`,
  );
}

function incomplete(): ApiError {
  return malformed('The body ended before its declared length; send all of it');
}

/** Whether a part of the body has not arrived yet. */
export function isUnread(request: IncomingMessage): boolean {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return hasBody && !request.complete && !request.destroyed && !isCutShort(request);
}

/** Discards the rest of the body, up to {@link discardLimit}. Closing with unread data resets the connection, and may lose the answer. */
export function discardRest(request: IncomingMessage, done: () => void): void {
  let size = 0;
  const yieldToOthers = yielding(request);
  request.on('data', (chunk: Buffer) => {
    yieldToOthers();
    size += chunk.length;
    if (size > discardLimit) request.destroy();
  });
  const finish = () => {
    request.off('end', finish).off(cutShortEvent, finish).off('close', finish);
    done();
  };
  request.on('end', finish).on(cutShortEvent, finish).on('close', finish);
  request.resume();
}
