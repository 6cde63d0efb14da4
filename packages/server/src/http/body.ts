import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, malformed } from '@kontor/contract';

/** Most bytes of a request body (specification.md 2.5). */
export const bodyLimit = 5 * 1024 * 1024;

/** Most bytes that are read and thrown away so that the client gets to read the answer. */
const discardLimit = 256 * 1024 * 1024;

/** The client broke off before its request was complete: there is nobody to answer. */
export class Disconnected extends Error {
  override readonly name = 'Disconnected';
}

/** Requests whose sender has ended its side of the connection in the middle of the body. It may still read an answer. */
const cutShort = new WeakSet<IncomingMessage>();
const cutShortEvent = Symbol('cut short');

/** Tells those who read the body of a request that no more of it will come. */
export function cutBodyShort(request: IncomingMessage): void {
  cutShort.add(request);
  request.emit(cutShortEvent);
}

/** Whether the body of a request has ended before its length, or before its last chunk. */
export function isCutShort(request: IncomingMessage): boolean {
  return cutShort.has(request);
}

/** The size that a body declares; the most that it may have where it is chunked, and declares none. */
export function bodySize({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : bodyLimit;
}

/**
 * Reads the whole body of a request.
 * @throws ApiError PAYLOAD_TOO_LARGE as soon as it is known to exceed the limit, whether declared or not, and then leaves the
 * rest unread; 400 VALIDATION_ERROR when it ends before its length; {@link Disconnected} when the client breaks off; the reason
 * of `lost` when that is aborted before the body is complete.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  lost?: AbortSignal,
): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > bodyLimit) return Promise.reject(tooLarge());
  if (isCutShort(request)) return Promise.reject(incomplete());
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => {
    // Pieces may be tiny, and millions of them would take far more memory than what is in them.
    let bytes: Buffer = Buffer.alloc(0);
    let size = 0;
    const giveWay = givingWay(request);
    const onData = (piece: Buffer) => {
      giveWay();
      if (size + piece.length > bodyLimit) return settle(() => reject(tooLarge()));
      bytes = withSpace(bytes, size, Math.max(declared, size + piece.length));
      size += piece.copy(bytes, size);
    };
    const onEnd = () => settle(() => resolve(bytes.subarray(0, size)));
    const onCutShort = () => settle(() => reject(incomplete()));
    const onBroken = () => settle(() => reject(new Disconnected('The client broke off')));
    const onLost = () => settle(() => reject(lost!.reason as Error));
    const settle = (outcome: () => void) => {
      request.pause();
      lost?.removeEventListener('abort', onLost);
      request.off('data', onData).off('end', onEnd).off(cutShortEvent, onCutShort).off('close', onBroken);
      outcome();
    };
    request.on('data', onData).on('end', onEnd).on(cutShortEvent, onCutShort).on('close', onBroken);
    lost?.addEventListener('abort', onLost);
  });
}

/** Most pieces of a body that are taken in a turn of the event loop. */
const piecesInTurn = 1000;

/**
 * What to call with each piece of a body: it stops reading until the next turn when there were very many. Node reads 2 MiB in a
 * turn when they are there, and a piece may be one byte.
 */
function givingWay({ socket }: IncomingMessage): () => void {
  let pieces = 0;
  const goOn = () => {
    pieces = 0;
    socket.resume();
  };
  return () => {
    if (++pieces !== piecesInTurn) return;
    socket.pause();
    setImmediate(goOn);
  };
}

/** The bytes, of which the first `used` count, or a longer copy that has the space for so many. */
function withSpace(bytes: Buffer, used: number, needed: number): Buffer {
  if (needed <= bytes.length) return bytes;
  const longer = Buffer.allocUnsafe(Math.max(needed, Math.min(2 * bytes.length, bodyLimit)));
  bytes.copy(longer, 0, 0, used);
  return longer;
}

function tooLarge(): ApiError {
  return new ApiError(
    'PAYLOAD_TOO_LARGE',
    'The body is larger than 5 MiB (5,242,880 bytes); send less at once',
  );
}

function incomplete(): ApiError {
  return malformed('The body ended before its length; send it again, whole');
}

/** Whether parts of the body are still on their way. */
export function isUnread(request: IncomingMessage): boolean {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return hasBody && !request.complete && !request.destroyed && !isCutShort(request);
}

/**
 * Reads what is left of the body and throws it away, then calls back. Closing a connection with unread data would reset
 * it, and the client could lose the answer. Beyond a generous bound the connection is closed nevertheless.
 */
export function discardRest(request: IncomingMessage, done: () => void): void {
  let size = 0;
  const giveWay = givingWay(request);
  request.on('data', (chunk: Buffer) => {
    giveWay();
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
