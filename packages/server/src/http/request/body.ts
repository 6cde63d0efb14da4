import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, describeBodyLimit, malformed } from '@kontor/contract';
import type { BodyPlace } from '../limits/request-limits.ts';

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

/** Bytes of a body that need no place. Node buffers as much for any connection. */
const freeBytes = 64 * 1024;

/** Bytes a second that a body must bring, and those while another one waits for its place. */
const minRate = 1024;
const minRateAwaited = 64 * 1024;

/**
 * Reads the whole body of a request. It waits for its place when it has more than {@link freeBytes}.
 * @throws ApiError PAYLOAD_TOO_LARGE as soon as the declared or received length exceeds the limit, 400 VALIDATION_ERROR if that is 0. The rest
 * stays unread then.
 * @throws ApiError 400 VALIDATION_ERROR when the body ends too early or arrives too slowly.
 * @throws ApiError SERVICE_UNAVAILABLE when there is no place for it; {@link Disconnected}.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { limit, place }: { limit: number; place: BodyPlace },
): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) return Promise.reject(tooLarge(limit));
  if (isCutShort(request)) return Promise.reject(incomplete());
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => {
    // One growing buffer: separate chunks would take far more memory, as a client may send millions of tiny ones.
    let bytes: Buffer = Buffer.alloc(0);
    let size = 0;
    let sizeBefore = 0;
    let placing: Promise<void> | undefined;
    let isPlaced = true;
    const settled = new AbortController();
    const append = (chunk: Buffer, length: number) => {
      if (length > bytes.length) bytes = lengthened(bytes, length);
      size += chunk.copy(bytes, size);
    };
    const takePlace = async (chunk: Buffer) => {
      isPlaced = false;
      request.pause();
      await place.take(settled.signal);
      isPlaced = true;
      // The wait does not count against the sender.
      sizeBefore = size;
      checks.refresh();
      append(chunk, declared || limit);
      request.resume();
    };
    const yieldToOthers = yielding(request);
    const onData = (chunk: Buffer) => {
      yieldToOthers();
      const needed = size + chunk.length;
      if (needed > limit) giveUp(tooLarge(limit));
      else if (needed <= freeBytes) append(chunk, Math.max(needed, Math.min(2 * bytes.length, freeBytes)));
      else if (placing) append(chunk, needed);
      else (placing = takePlace(chunk)).catch(giveUp);
    };
    const checks = setInterval(() => {
      const rate = place.isAwaited ? minRateAwaited : minRate;
      if (isPlaced && size - sizeBefore < (rate * place.period) / 1000)
        giveUp(malformed('The body arrived too slowly; send it again, faster'));
      sizeBefore = size;
    }, place.period);
    const settle = (outcome: () => void) => {
      if (settled.signal.aborted) return;
      settled.abort();
      clearInterval(checks);
      request.pause();
      request.off('data', onData).off('end', onEnd).off(cutShortEvent, onCutShort).off('close', onBroken);
      outcome();
    };
    const giveUp = (error: Error) => settle(() => reject(error));
    const finish = () => settle(() => resolve(bytes.subarray(0, size)));
    // A paused stream still emits the end of buffered data, and then closes.
    const onEnd = () => {
      request.off('close', onBroken);
      if (isPlaced) finish();
      else void placing?.then(finish, () => {});
    };
    const onCutShort = () => giveUp(incomplete());
    const onBroken = () => giveUp(new Disconnected('The client broke off'));
    request.on('data', onData).on('end', onEnd).on(cutShortEvent, onCutShort).on('close', onBroken);
  });
}

function lengthened(bytes: Buffer, length: number): Buffer {
  const longer = Buffer.allocUnsafe(length);
  bytes.copy(longer);
  return longer;
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
  if (limit === 0) return malformed('This operation accepts no body; send it without one, not even {}');
  return new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${describeBodyLimit(limit)}; send less at once`,
  );
}

function incomplete(): ApiError {
  return malformed('The body ended before its declared length; send all of it');
}

/** Whether the headers announce a body. A chunked one may still be empty. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether a part of the body has not arrived yet. */
export function isUnread(request: IncomingMessage): boolean {
  return announcesBody(request) && !request.complete && !request.destroyed && !isCutShort(request);
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
